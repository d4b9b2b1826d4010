"""Restarts broker 2 with a certificate for clients that it signed itself. Needs security."""

from collections.abc import Mapping

from kafka_lab import security, tls_signs
from kafka_lab.state import LabState

SEEN_IN = "security"

_NUMBER = 2


def inject(lab: LabState) -> None:
    """Issue it, and restart the broker with it."""
    security.authority(lab).issue_self_signed("self-signed-certificate", "kafka-2", names=security.NAMES)
    security.present(lab, _NUMBER, "self-signed-certificate")


def heal(lab: LabState) -> None:
    """Restart the broker with the certificate it had."""
    security.restore(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether clients turn away from the broker because of it."""
    return {
        f"clients turn away from broker {_NUMBER}: it vouches for itself": "self-signed"
        in tls_signs.mistrust(lab, _NUMBER)
    }
