"""Restarts broker 3 with one more listener for clients, in plain text and without a login. Needs security."""

from runbook.lab import security
from runbook.lab.configuration import free_ports
from runbook.lab.state import LabState

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
