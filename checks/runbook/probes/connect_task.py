"""Each task of each connector: how it is, where it runs, and what stopped it."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.connect import CONNECTORS, NAMES, RIGHT, WORKER, read
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.connect import Connect


class ConnectTask(Row):
    """A task of a connector."""

    connector: Annotated[str, Cell("Its connector.", key=True, entity="connector")]
    task: Annotated[int, Cell("Its number.", key=True)]
    state: Annotated[str, Cell("RUNNING, PAUSED, STOPPED, FAILED, UNASSIGNED or RESTARTING, as was last written.")]
    worker: Annotated[str, Cell("Host and port of the worker that runs it, as the cluster knows that.")]
    worker_answers: Annotated[
        bool | None,
        Cell(
            "Whether that worker answers: one that was killed goes on running its tasks in the status topic. "
            "Unknown where the inventory names no worker with that id."
        ),
    ]
    trace: Annotated[
        str,
        Cell("First line of what went wrong, with the class of its last cause; empty if nothing did."),
    ]
    transformation: Annotated[str, Cell("Class of the transformation (SMT) that failed; empty if none did.")]


PROBE = Probe(
    connections=("connect",),
    help="One row per task.",
    row=ConnectTask,
    requests=tuple(read(path) for path in (WORKER, NAMES, CONNECTORS)),
    rights=(RIGHT,),
)


def observe(connect: "Connect") -> Observed:
    """Observe the tasks."""
    connectors, gaps = connect.connectors()
    answering, _ = connect.workers()
    answers = {place.id: place.name in answering for place in connect.places()}
    rows = [
        ConnectTask(
            connector=task.connector,
            task=task.number,
            state=task.state,
            worker=task.worker,
            worker_answers=answers.get(task.worker),
            trace=task.trace,
            transformation=task.transformation,
        )
        for connector in connectors.values()
        for task in connector.tasks
    ]
    return Observed(rows=rows, gaps=list(gaps))
