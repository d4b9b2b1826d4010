"""Adds a connector whose configuration has a password as plain text (with connect)."""

from collections.abc import Mapping
from typing import Final

from kafka_lab import connect, connect_signs
from kafka_lab.state import LabState

SEEN_IN = "error-handling"

_CONNECTOR = "parcels-archive"
MADE_UP: Final = "lab-made-up-password"  # nobody's; what reads it must not show it


def inject(lab: LabState) -> None:
    """Create the connector."""
    settings = connect.sink(connect.TOPIC, connect.folder(lab) / "parcels.txt", **{"connection.password": MADE_UP})
    connect.put_connector(lab, _CONNECTOR, settings)


def heal(lab: LabState) -> None:
    """Remove it."""
    connect.delete_connector(lab, _CONNECTOR)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether a worker shows the password to whoever asks."""
    shown = connect_signs.configured(lab, _CONNECTOR).get("connection.password")
    return {f"the configuration of {_CONNECTOR} shows its password": shown == MADE_UP}
