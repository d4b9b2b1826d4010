"""Adds a connector whose configuration has a password as plain text (with connect)."""

from runbook.lab import connect
from runbook.lab.state import LabState

SEEN_IN = "error-handling"

_CONNECTOR = "parcels-archive"
_MADE_UP = "lab-made-up-password"  # nobody's; what reads it must not show it


def inject(lab: LabState) -> None:
    """Create the connector."""
    settings = connect.sink(connect.TOPIC, connect.folder(lab) / "parcels.txt", **{"connection.password": _MADE_UP})
    connect.put_connector(lab, _CONNECTOR, settings)


def heal(lab: LabState) -> None:
    """Remove it."""
    connect.delete_connector(lab, _CONNECTOR)
