"""Restarts broker 3 with one more listener for clients, in plain text and without a login. Needs security."""

from collections.abc import Mapping

from kafka_lab import security
from kafka_lab.admin import metadata
from kafka_lab.ports import free_ports
from kafka_lab.state import LabState

SEEN_IN = "security"

_NUMBER = 3


def inject(lab: LabState) -> None:
    """Open it."""
    security.required(lab)
    [port] = free_ports(1)
    security.open_listener(lab, _NUMBER, "OPEN", port)


def heal(lab: LabState) -> None:
    """Close it."""
    security.restore(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether a client without a login, in plain text, is told which brokers it may turn to."""
    port = security.required(lab)["opened"].get(str(_NUMBER), {}).get("OPEN")
    answered = port is not None and _NUMBER in metadata(lab, f"{security.HOST}:{port}").brokers
    return {f"broker {_NUMBER} talks to strangers in plain text, at its listener OPEN": answered}
