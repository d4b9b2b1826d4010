"""A probe keyed by broker, to join with."""

from typing import Annotated, Any

from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row


class FakeNode(Row):
    """What it gives."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    limit: Annotated[int, Cell("What is allowed there.")]
    rack: Annotated[str, Cell("Where it stands.", entity="rack")]


PROBE = Probe(
    connections=("fake",),
    help="One row per broker.",
    row=FakeNode,
    requests=("Nothing",),
    rights=("None",),
)


def observe(_: Any) -> Observed:
    """Give one broker."""
    return Observed([FakeNode(broker=BrokerId(1), limit=10, rack="r1")])
