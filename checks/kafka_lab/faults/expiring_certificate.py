"""Restarts broker 2 with a certificate for clients that holds for five more days. Needs security."""

from collections.abc import Mapping

from kafka_lab import security, tls_signs
from kafka_lab.state import LabState

SEEN_IN = "security"

_NUMBER = 2
_DAYS = 5


def inject(lab: LabState) -> None:
    """Issue it, and restart the broker with it."""
    security.authority(lab).issue("expiring-certificate", "kafka-2", names=security.NAMES, days=_DAYS)
    security.present(lab, _NUMBER, "expiring-certificate")


def heal(lab: LabState) -> None:
    """Restart the broker with the certificate it had."""
    security.restore(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether clients trust the certificate, and will do so for days only."""
    left = tls_signs.days_left(lab, _NUMBER)
    return {f"clients trust the certificate of broker {_NUMBER}, for {_DAYS} days at most": 0 < left <= _DAYS}
