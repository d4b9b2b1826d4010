"""Pauses of garbage collection: a probe that a user might add, keyed by the same entity as the brokers' settings."""

from typing import Annotated, Any

from runbook.model.fact import Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Milliseconds
from runbook.model.row import Cell, Row


class FakePause(Row):
    """What it gives."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    longest: Annotated[Milliseconds, Cell("Longest pause in the window.")]
    count: Annotated[int, Cell("Pauses in the window.")]


PROBE = Probe(
    connections=("fake",),
    help="One row per broker.",
    row=FakePause,
    requests=("HTTP GET /jolokia",),
    rights=("read",),
    parameters={"window": Parameter(type="string", default="1h", help="how far to look back")},
)


def observe(fake: Any, *, window: str = "1h") -> Observed:
    """Give what the connection's settings hold."""
    return Observed(
        [FakePause(broker=BrokerId(1), longest=Milliseconds(int(fake.settings.get("pause", 0))), count=len(window))]
    )
