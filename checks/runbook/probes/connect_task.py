"""Each task of each connector: how it is, where it runs, and what stopped it."""

from runbook.connections.connect import Connect
from runbook.connections.connect.questions import CONNECTORS, NAMES, RIGHT, WORKER, read
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("connect",),
    help="One row per task.",
    columns=(
        Column("connector", "string", "Its connector.", key=True, entity="connector"),
        Column("task", "int", "Its number.", key=True),
        Column("state", "string", "RUNNING, PAUSED, STOPPED, FAILED, UNASSIGNED or RESTARTING, as was last written."),
        Column("worker", "string", "Host and port of the worker that runs it, as the cluster knows that."),
        Column(
            "worker_answers",
            "bool",
            "Whether that worker answers: one that was killed goes on running its tasks in the status topic. "
            "Unknown where the inventory names no worker with that id.",
        ),
        Column(
            "trace", "string", "First line of what went wrong, with the class of its last cause; empty if nothing did."
        ),
    ),
    requests=tuple(read(path) for path in (WORKER, NAMES, CONNECTORS)),
    rights=(RIGHT,),
)


def observe(connect: Connect) -> Observed:
    """Observe the tasks."""
    told, gaps = connect.connectors()
    answering, _ = connect.workers()
    answers = {place.id: place.name in answering for place in connect.places()}
    rows = [
        (task.connector, task.number, task.state, task.worker, answers.get(task.worker), task.trace)
        for one in told.values()
        for task in one.tasks
    ]
    return Observed(rows=rows, gaps=list(gaps))
