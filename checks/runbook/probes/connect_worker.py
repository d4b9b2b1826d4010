"""Each worker of Connect that the inventory names: whether it answers, its release, and what it runs."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Struct

from runbook.answers.connect import CONNECTORS, NAMES, RIGHT, WORKER, read
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.connect import Connect


_UNTOLD: Final = (
    "the cluster does not tell, or it runs some on a worker whose id no worker of the inventory has: name that one, or "
    "say its `id` (host and port as in rest.advertised.host.name)"
)


class ConnectWorker(Row):
    """A Connect worker."""

    worker: Annotated[str, Cell("Name in the inventory.", key=True, entity="server")]
    id: Annotated[str, Cell("Host and port under which the cluster knows it.")]
    answers: Annotated[bool, Cell("Whether it answered.")]
    version: Annotated[str | None, Cell("Release of Kafka that it is of.")]
    commit: Annotated[str | None, Cell("Commit that it was built from.")]
    kafka_cluster_id: Annotated[str | None, Cell("Id of the Kafka cluster that it works with.", entity="cluster")]
    connectors: Annotated[
        int | None, Cell("Connectors that it runs, as the cluster says.", unit="connectors", untold=_UNTOLD)
    ]
    tasks: Annotated[int | None, Cell("Tasks that it runs, as the cluster says.", unit="tasks", untold=_UNTOLD)]


PROBE = Probe(
    connections=("connect",),
    help="One row per worker that the inventory names, also where it does not answer.",
    row=ConnectWorker,
    requests=tuple(read(path) for path in (WORKER, NAMES, CONNECTORS)),
    rights=(RIGHT,),
)


class _Load(Struct, frozen=True, kw_only=True):
    """What runs where: by the id of a worker."""

    connectors: Counter[str]
    tasks: Counter[str]


def observe(connect: "Connect") -> Observed:
    """Observe the workers; one that did not answer has a row that says so, and a gap that says why."""
    workers, gaps = connect.workers()
    load: _Load | None
    try:
        found, lacking = connect.connectors()
    except CannotLook as error:
        load = None
        gaps = [*gaps, Gap.of(error, says=f"what workers run is not known: {error}")] if workers else list(gaps)
    else:
        gaps = [*gaps, *lacking]
        connectors = Counter(connector.worker for connector in found.values())
        tasks = Counter(task.worker for connector in found.values() for task in connector.tasks)
        strangers = {*connectors, *tasks} - {"", *(place.id for place in connect.places())}
        load = None if strangers else _Load(connectors=connectors, tasks=tasks)
    rows = []
    for place in connect.places():
        about = workers.get(place.name)
        rows.append(
            ConnectWorker(
                worker=place.name,
                id=place.id,
                answers=about is not None,
                version=about.version if about else None,
                commit=about.commit if about else None,
                kafka_cluster_id=about.kafka_cluster_id if about else None,
                connectors=load.connectors[place.id] if load else None,
                tasks=load.tasks[place.id] if load else None,
            )
        )
    return Observed(rows=rows, gaps=gaps)
