"""Adds a user whose SCRAM password is hashed with 4096 iterations, the least that Kafka takes. Needs security."""

import secrets

from runbook.lab import rights, security
from runbook.lab.state import LabState

SEEN_IN = "security"

_USER = "legacy"
_ITERATIONS = 4096  # ScramMechanism.SCRAM_SHA_512.minIterations, and the default of kafka-configs.sh


def inject(lab: LabState) -> None:
    """Add the user."""
    security.required(lab)
    rights.add_user(lab, _USER, secrets.token_urlsafe(24), _ITERATIONS)


def heal(lab: LabState) -> None:
    """Remove the user."""
    if security.PART in lab.parts and rights.has_user(lab, _USER):
        rights.remove_user(lab, _USER)
