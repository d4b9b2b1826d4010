"""Restarts broker 2 with a certificate for clients that holds for five more days. Needs security."""

from runbook.lab import security
from runbook.lab.state import LabState

SEEN_IN = "security"

_NUMBER = 2


def inject(lab: LabState) -> None:
    """Issue it, and restart the broker with it."""
    security.authority(lab).issue("expiring-certificate", "kafka-2", names=security.NAMES, days=5)
    security.present(lab, _NUMBER, "expiring-certificate")


def heal(lab: LabState) -> None:
    """Restart the broker with the certificate it had."""
    security.restore(lab)
