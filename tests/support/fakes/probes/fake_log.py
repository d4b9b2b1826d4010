"""A probe keyed by broker and path, of which several rows are about one broker; and without anything else."""

from typing import Annotated, Any

from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Bytes
from runbook.model.row import Cell, Row


class FakeLog(Row):
    """What it gives."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    path: Annotated[str, Cell("Where the log is.", key=True, entity="log_dir")]
    size: Annotated[Bytes, Cell("How large it is.")]


PROBE = Probe(
    connections=("fake",),
    help="One row per broker and path.",
    row=FakeLog,
    requests=("Nothing",),
    rights=("None",),
)


def observe(_: Any) -> Observed:
    """Give two logs of one broker."""
    return Observed(
        [FakeLog(broker=BrokerId(1), path="/a", size=Bytes(1)), FakeLog(broker=BrokerId(1), path="/b", size=Bytes(2))]
    )
