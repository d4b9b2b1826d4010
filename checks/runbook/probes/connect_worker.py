"""Each worker of Connect that the inventory names: whether it answers, its release, and what it runs."""

from collections import Counter

from runbook.connections.connect import Connect
from runbook.connections.connect.questions import CONNECTORS, NAMES, RIGHT, WORKER, read
from runbook.engine.column import Column
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Gap, Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("connect",),
    help="One row per worker that the inventory names, also where it does not answer.",
    columns=(
        Column("worker", "string", "Name in the inventory.", key=True, entity="server"),
        Column("id", "string", "Host and port under which the cluster knows it."),
        Column("answers", "bool", "Whether it answered."),
        Column("version", "string", "Release of Kafka that it is of."),
        Column("commit", "string", "Commit that it was built from."),
        Column("kafka_cluster_id", "string", "Id of the Kafka cluster that it works with.", entity="cluster"),
        Column("connectors", "int", "Connectors that it runs, as the cluster says.", unit="connectors"),
        Column("tasks", "int", "Tasks that it runs, as the cluster says.", unit="tasks"),
    ),
    requests=tuple(read(path) for path in (WORKER, NAMES, CONNECTORS)),
    rights=(RIGHT,),
)


def observe(connect: Connect) -> Observed:
    """Observe the workers; one that did not answer has a row that says so, and a gap that says why."""
    told, gaps = connect.workers()
    try:
        found, lacking = connect.connectors()
    except CannotLook as error:
        load, gaps = None, [*gaps, Gap(f"what workers run is not known: {error}")] if told else list(gaps)
    else:
        gaps = [*gaps, *lacking]
        load = (
            Counter(one.worker for one in found.values()),
            Counter(task.worker for one in found.values() for task in one.tasks),
        )
    rows = []
    for place in connect.places():
        about = told.get(place.name)
        says = (about.version, about.commit, about.kafka_cluster_id) if about else (None, None, None)
        runs = (load[0][place.id], load[1][place.id]) if load else (None, None)
        rows.append((place.name, place.id, about is not None, *says, *runs))
    return Observed(rows=rows, gaps=gaps)
