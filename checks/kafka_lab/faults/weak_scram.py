"""Adds a user whose SCRAM password is hashed with 4096 iterations, the least that Kafka takes. Needs security."""

import secrets
from collections.abc import Mapping

from kafka_lab import rights, rights_signs, security
from kafka_lab.state import LabState

SEEN_IN = "security"

_USER = "legacy"
_ITERATIONS = 4096  # ScramMechanism.SCRAM_SHA_512.minIterations, and the default of kafka-configs.sh


def inject(lab: LabState) -> None:
    """Add the user."""
    security.required(lab)
    rights.add_user(lab, _USER, secrets.token_urlsafe(24), _ITERATIONS)


def heal(lab: LabState) -> None:
    """Give the user a password that is hashed often enough; a user can't be removed (see rights.add_user)."""
    if security.PART in lab.parts and rights.has_user(lab, _USER):
        rights.add_user(lab, _USER, secrets.token_urlsafe(24))


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the brokers keep the user's password, hashed so few times."""
    return {f"{_USER}'s password is hashed {_ITERATIONS} times": rights_signs.rounds(lab).get(_USER) == _ITERATIONS}
