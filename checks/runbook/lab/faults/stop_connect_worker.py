"""Kills the second worker of Kafka Connect; the first takes over its tasks after a while (with connect)."""

from runbook.lab import connect
from runbook.lab.processes import terminate
from runbook.lab.state import LabState

SEEN_IN = "error-handling"

_PLACE = 1


def inject(lab: LabState) -> None:
    """Kill it; returns at once, while the cluster still counts on it."""
    terminate(connect.workers_of(lab)[_PLACE].process, patience=0)


def heal(lab: LabState) -> None:
    """Start it again."""
    connect.revive(lab)
