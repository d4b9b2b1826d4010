"""The KRaft metadata quorum: its voters, its leader, and how far the others are behind."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Final

from runbook.answers.kafka import Quorum, Voter
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.quantity import ControllerId, Milliseconds, Offset, Timestamp
from runbook.model.row import Cell, Row
from runbook.rules.election import NOBODY
from runbook.rules.quorum import majority

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaQuorum(Row):
    """A node that follows the metadata log."""

    node: Annotated[ControllerId, Cell("Node id.", key=True)]
    voter: Annotated[bool, Cell("Whether it has a vote; brokers that only follow have none.")]
    leader: Annotated[
        bool, Cell("Whether it is the active controller; false of a leader that has lost its majority and goes on.")
    ]
    log_end_offset: Annotated[
        Offset, Cell("End of its metadata log; -1 when the leader does not know.", unit="records")
    ]
    lag: Annotated[
        int | None, Cell("Records behind the leader; unknown when its log end is.", unit="records", moves=True)
    ]
    last_caught_up_ms: Annotated[
        Milliseconds | None, Cell("How long ago it had all that the leader had; unknown if never.", moves=True)
    ]
    last_fetch_ms: Annotated[
        Milliseconds | None, Cell("How long ago it fetched from the leader; unknown if never.", moves=True)
    ]
    voters: Annotated[int, Cell("Size of the voter set, the same in every row.", unit="controllers")]
    directory: Annotated[
        str, Cell("Directory id of the disk that has the vote, or that follows; empty in a static quorum (KIP-853).")
    ]
    replaced_by: Annotated[
        str,
        Cell(
            "Directory id of another disk, with which the node follows now while its vote belongs to the one above; "
            "empty where there is none."
        ),
    ]


PROBE = Probe(
    connections=("kafka",),
    help="One row per node that follows the metadata log: voters, and brokers that only observe.",
    row=KafkaQuorum,
    requests=("ApiVersions", "DescribeQuorum", "Metadata"),
    rights=("Describe on the cluster",),
)

_SILENT_MS: Final = 30_000
"""Milliseconds without a fetch after which a voter does not follow: fifteen times the default of
controller.quorum.fetch.timeout.ms, as that may be raised. Our judgement."""


def observe(kafka: "Kafka") -> Observed:
    """Observe the quorum as its leader sees it."""
    if not kafka.is_kraft():
        return Observed(inapplicable="the cluster runs in ZooKeeper mode, which has no KRaft quorum")
    quorum = kafka.quorum()
    voters = sum(node.voter for node in quorum.nodes)
    leader = _leader(quorum)
    is_active = active_controller(quorum) != NOBODY
    rows = [
        KafkaQuorum(
            node=node.node,
            voter=node.voter,
            leader=is_active and node is leader,
            log_end_offset=node.end_offset,
            lag=None if leader is None or node.end_offset < 0 else max(0, leader.end_offset - node.end_offset),
            last_caught_up_ms=_ago(leader, node.caught_up_at),
            last_fetch_ms=Milliseconds(0) if node is leader else _ago(leader, node.fetched_at),
            voters=voters,
            directory=node.directory,
            replaced_by=replaced_by(node, quorum.nodes),
        )
        for node in _one_each(quorum.nodes)
    ]
    gaps = [] if leader is not None else [Gap("the quorum has no leader that could tell how far its voters are")]
    return Observed(rows=rows, gaps=gaps)


def active_controller(quorum: Quorum) -> ControllerId:
    """The active controller's node id; -1 where none is, also where a majority stopped to fetch from who leads.

    From Kafka 3.7 on such a leader resigns (KAFKA-15489); one of 3.3 to 3.6 goes on and can commit nothing. Who has not
    fetched from it yet may be about to.
    """
    leader = _leader(quorum)
    if leader is None:
        return quorum.leader
    voters = [node for node in quorum.nodes if node.voter]
    fetches = [age for node in voters if (age := _ago(leader, node.fetched_at)) is not None]
    silent = sum(age > _SILENT_MS for age in fetches)
    return leader.node if len(voters) - silent >= majority(len(voters)) else ControllerId(NOBODY)


def _leader(quorum: Quorum) -> Voter | None:
    return next((node for node in quorum.nodes if node.node == quorum.leader), None)


def replaced_by(node: Voter, nodes: Iterable[Voter]) -> str:
    """The disk by which a voter's node has fetched since its own disk last did; "" for none, and for observers.

    The quorum knows a voter by its id and the id of its disk. A node that starts with another disk observes (KIP-853),
    and one that went back to its own is listed as an observer, too, for some minutes.
    """
    others = [one for one in nodes if one.node == node.node and not one.voter and one.fetched_at > node.fetched_at]
    return max(others, key=lambda one: one.fetched_at).directory if node.voter and others else ""


def _one_each(nodes: Iterable[Voter]) -> list[Voter]:
    """Each node once, voters first: as a voter, or as the observer that fetched last."""
    found: dict[ControllerId, Voter] = {}
    for node in sorted(nodes, key=lambda one: (one.voter, one.fetched_at)):
        found[node.node] = node
    return sorted(found.values(), key=lambda one: (not one.voter, one.node))


def _ago(leader: Voter | None, at: Timestamp) -> Milliseconds | None:
    """How long before the answer something was; the leader says of itself that it caught up at that very moment.

    So its clock alone counts (Kafka's LeaderState.describeReplicaState, from 3.3 on). Ours may be ahead of it, and the
    answer may have been waited for.
    """
    if leader is None or leader.caught_up_at < 0 or at < 0:
        return None
    return Milliseconds(max(0, leader.caught_up_at - at))
