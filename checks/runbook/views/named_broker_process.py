"""The Java process of a broker that somebody named, there or not: gates ask for one that was restarted otherwise."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import BrokerId, Bytes
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class NamedBrokerProcess(Row):
    """The process."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    there: Annotated[bool | None, Cell("Whether it runs on a host; unknown where some processes are not seen.")]
    collector: Annotated[
        str | None,
        Cell("Collector that its command line chooses; empty for the JVM's choice, unknown where it is not there."),
    ]
    heap_min: Annotated[
        Bytes | None, Cell("Initial heap, as its command line says; unknown if it does not, and where it is not there.")
    ]
    heap_max: Annotated[
        Bytes | None,
        Cell("Greatest heap, as its command line says; unknown if it does not, and where it is not there."),
    ]


_TAKEN = ("broker", "collector", "heap_min", "heap_max")
VIEW = View(
    help="One row for the process of the broker that is named, seen or not.",
    row=NamedBrokerProcess,
    version=2,
    inputs={
        "process": Input("host_process", columns=(*_TAKEN, "kind"), tells=True),
    },
    parameters={
        "broker": Parameter(type="int", default=-1, help="its id; -1, which no node has, where none was named")
    },
)


def compute(*, process: Fact, broker: int = -1) -> Observed:
    """Find it in host_process."""
    for row in process.rows(*_TAKEN, "kind"):
        if row["kind"] == "broker" and row["broker"] == broker:
            return Observed([NamedBrokerProcess(there=True, **{name: row[name] for name in _TAKEN})])
    there = False if process.complete else None
    return Observed(
        [NamedBrokerProcess(broker=BrokerId(broker), there=there, collector=None, heap_min=None, heap_max=None)]
    )
