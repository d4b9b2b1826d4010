"""Each ZooKeeper server that the inventory names: whether it answers, what it is, and how quick it is."""

from typing import Any

from runbook.connections.zookeeper.questions import STATE, reads, right
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.zookeeper import Ensemble, Place, State

PROBE = Probe(
    connections=("zookeeper",),
    help="One row per server that the inventory names, also where it does not answer.",
    columns=(
        Column("server", "string", "Name in the inventory.", key=True, entity="server"),
        Column("host", "string", "Where its clients reach it.", entity="host"),
        Column("port", "int", "The clients' port."),
        Column("rack", "string", "Its rack, as the inventory says; unknown where that says nothing.", entity="rack"),
        Column("machine", "string", "The machine it runs on, as the inventory says; else its host."),
        Column("rack_mates", "list[string]", "Other servers of its rack.", entity="server"),
        Column("machine_mates", "list[string]", "Other servers on its machine.", entity="server"),
        Column("answers", "bool", "Whether it answered."),
        Column("state", "string", "leader, follower, observer or standalone; `idle` while it serves nobody."),
        Column("version", "string", "Release of ZooKeeper."),
        Column("min_latency", "int", "Shortest request since it started.", unit="ms"),
        Column("avg_latency", "float", "Mean of all requests since it started.", unit="ms"),
        Column("max_latency", "int", "Longest request since it started.", unit="ms"),
        Column("received", "int", "Requests since it started.", unit="requests"),
        Column("outstanding", "int", "Requests that wait.", unit="requests"),
        Column("connections", "int", "Connections of clients; ours among them if it was asked by word."),
        Column("znodes", "int", "Nodes that it holds.", unit="znodes"),
    ),
    requests=reads(STATE),
    rights=(right(STATE),),
)

IDLE = "idle"


def observe(zookeeper: Ensemble) -> Observed:
    """Observe the servers; one that did not answer has a row that says so, and a gap that says why."""
    told, gaps = zookeeper.states()
    places = zookeeper.places()
    return Observed(rows=[_row(place, told.get(place.name), places) for place in places], gaps=list(gaps))


def _row(place: Place, state: State | None, places: Any) -> tuple[object, ...]:
    others = [one for one in places if one.name != place.name]
    racks_known = place.rack and all(one.rack for one in others)
    head = (
        place.name,
        place.host,
        place.port,
        place.rack or None,
        place.machine,
        [one.name for one in others if one.rack == place.rack] if racks_known else None,
        [one.name for one in others if one.machine == place.machine],
        state is not None,
    )
    if state is None:
        return (*head, *[None] * 9)
    return (
        *head,
        state.mode or IDLE,
        state.version,
        state.min_latency,
        state.avg_latency,
        state.max_latency,
        state.received,
        state.outstanding,
        state.connections,
        state.znodes,
    )
