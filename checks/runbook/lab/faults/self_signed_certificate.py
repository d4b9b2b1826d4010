"""Restarts broker 2 with a certificate for clients that it signed itself. Needs security."""

from runbook.lab import security
from runbook.lab.state import LabState

SEEN_IN = "security"

_NUMBER = 2


def inject(lab: LabState) -> None:
    """Issue it, and restart the broker with it."""
    security.authority(lab).issue_self_signed("self-signed-certificate", "kafka-2", names=security.NAMES)
    security.present(lab, _NUMBER, "self-signed-certificate")


def heal(lab: LabState) -> None:
    """Restart the broker with the certificate it had."""
    security.restore(lab)
