"""Kills the second worker of Kafka Connect; the first takes over its tasks after a while (with connect)."""

from collections.abc import Mapping

from kafka_lab import connect
from kafka_lab.processes import condition, terminate
from kafka_lab.signs import refuses
from kafka_lab.state import LabState

SEEN_IN = "error-handling"

_PLACE = 1


def inject(lab: LabState) -> None:
    """Kill it; returns at once, while the cluster still counts on it."""
    terminate(connect.workers_of(lab)[_PLACE].process, patience=0)


def heal(lab: LabState) -> None:
    """Start it again."""
    connect.revive(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether its process has ended, and its port refuses."""
    worker = connect.workers_of(lab)[_PLACE]
    return {
        f"{worker.name} has no process": condition(worker.process) == "stopped",
        f"the port of {worker.name} refuses": refuses(worker.port),
    }
