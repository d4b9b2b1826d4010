"""Restarts broker 2 with a certificate for clients that has expired three days ago. Needs security."""

from collections.abc import Mapping

from kafka_lab import security, tls_signs
from kafka_lab.state import LabState

SEEN_IN = "security"

_NUMBER = 2


def inject(lab: LabState) -> None:
    """Issue it, and restart the broker with it."""
    security.authority(lab).issue("expired-certificate", "kafka-2", names=security.NAMES, days=-3)
    security.present(lab, _NUMBER, "expired-certificate")


def heal(lab: LabState) -> None:
    """Restart the broker with the certificate it had."""
    security.restore(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether clients turn away from the broker because of it."""
    return {
        f"clients turn away from broker {_NUMBER}: its certificate has expired": "has expired"
        in tls_signs.mistrust(lab, _NUMBER)
    }
