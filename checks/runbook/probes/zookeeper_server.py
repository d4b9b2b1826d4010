"""Each ZooKeeper server that the inventory names: whether it answers, what it is, and how quick it is."""

from typing import Annotated, Any

from runbook.answers.zookeeper import STATE, reads, right
from runbook.formats.zookeeper import Ensemble, ServerAddress, ServerState
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Milliseconds
from runbook.model.row import Cell, Row


class ZookeeperServer(Row):
    """A ZooKeeper server."""

    server: Annotated[str, Cell("Name in the inventory.", key=True, entity="server")]
    host: Annotated[str, Cell("Where its clients reach it.", entity="host")]
    port: Annotated[int, Cell("The clients' port.")]
    rack: Annotated[
        str | None,
        Cell("Its rack, as the inventory says; unknown where that says nothing.", entity="rack"),
    ]
    machine: Annotated[str, Cell("The machine it runs on, as the inventory says; else its host.")]
    rack_mates: Annotated[
        list[str] | None,
        Cell(
            "Other servers of its rack.", entity="server", untold="the inventory does not say the rack of each server"
        ),
    ]
    machine_mates: Annotated[list[str], Cell("Other servers on its machine.", entity="server")]
    answers: Annotated[bool, Cell("Whether it answered.")]
    state: Annotated[str | None, Cell("leader, follower, observer or standalone; `idle` while it serves no clients.")]
    version: Annotated[str | None, Cell("Release of ZooKeeper.")]
    min_latency: Annotated[Milliseconds | None, Cell("Shortest request since it started.", moves=True)]
    avg_latency: Annotated[float | None, Cell("Mean of all requests since it started.", unit="ms", moves=True)]
    max_latency: Annotated[Milliseconds | None, Cell("Longest request since it started.", moves=True)]
    received: Annotated[int | None, Cell("Requests since it started.", unit="requests", moves=True)]
    outstanding: Annotated[int | None, Cell("Requests that wait.", unit="requests", moves=True)]
    connections: Annotated[
        int | None, Cell("Connections of clients; ours among them if it was asked by word.", moves=True)
    ]
    znodes: Annotated[int | None, Cell("Nodes that it holds.", unit="znodes", moves=True)]


PROBE = Probe(
    connections=("zookeeper",),
    help="One row per server that the inventory names, also where it does not answer.",
    row=ZookeeperServer,
    requests=reads(STATE),
    rights=(right(STATE),),
)

IDLE = "idle"


def observe(zookeeper: Ensemble) -> Observed:
    """Observe the servers; one that did not answer has a row that says so, and a gap that says why."""
    states, gaps = zookeeper.states()
    places = zookeeper.places()
    return Observed(rows=[_row(place, states.get(place.name), places) for place in places], gaps=list(gaps))


def _row(place: ServerAddress, state: ServerState | None, places: Any) -> ZookeeperServer:
    others = [other for other in places if other.name != place.name]
    racks_known = place.rack and all(other.rack for other in others)
    return ZookeeperServer(
        server=place.name,
        host=place.host,
        port=place.port,
        rack=place.rack or None,
        machine=place.machine,
        rack_mates=[other.name for other in others if other.rack == place.rack] if racks_known else None,
        machine_mates=[other.name for other in others if other.machine == place.machine],
        answers=state is not None,
        state=state.mode or IDLE if state else None,
        version=state.version if state else None,
        min_latency=state.min_latency if state else None,
        avg_latency=state.avg_latency if state else None,
        max_latency=state.max_latency if state else None,
        received=state.received if state else None,
        outstanding=state.outstanding if state else None,
        connections=state.connections if state else None,
        znodes=state.znodes if state else None,
    )
