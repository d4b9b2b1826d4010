"""Restarts broker 2 with a certificate for clients that is for another host. Needs security."""

from runbook.lab import security
from runbook.lab.state import LabState

SEEN_IN = "security"

_NUMBER = 2


def inject(lab: LabState) -> None:
    """Issue it, and restart the broker with it."""
    security.authority(lab).issue("wrong-name-certificate", "kafka-2", names=["kafka-2.elsewhere.example"])
    security.present(lab, _NUMBER, "wrong-name-certificate")


def heal(lab: LabState) -> None:
    """Restart the broker with the certificate it had."""
    security.restore(lab)
