"""The groups of every kind: of both consumer protocols, share groups, streams groups, Connect's, and mere offsets."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.kafka import AnyGroup
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaGroup(Row):
    """A group."""

    group: Annotated[str, Cell("Group id.", key=True, entity="group")]
    type: Annotated[str, Cell("classic, consumer, share or streams: the protocol of its members.")]
    protocol: Annotated[
        str, Cell("What it is for: consumer, streams, connect, share, …; empty of one that only keeps offsets.")
    ]
    state: Annotated[
        str, Cell("stable, empty, dead, preparing_rebalancing, completing_rebalancing, assigning, reconciling, …")
    ]
    assignor: Annotated[str | None, Cell("Partition assignor; empty while the group has none.", why="untold")]
    members: Annotated[int | None, Cell("Members.", unit="members", why="untold")]
    idle: Annotated[
        int | None,
        Cell(
            "Members that have no partition, and no copy of others' state as far as that is reported: the classic "
            "protocol does not for Streams. All of them while it rebalances.",
            unit="members",
            why="untold",
        ),
    ]
    coordinator: Annotated[BrokerId, Cell("Broker that coordinates it; -1 when not known.")]
    untold: Annotated[str, Cell("Why its members are not known; empty if they are.")]


PROBE = Probe(
    connections=("kafka",),
    help="One row per group of any kind.",
    row=KafkaGroup,
    requests=(
        "ApiVersions",
        "ConsumerGroupDescribe",
        "DescribeAcls",
        "DescribeCluster",
        "DescribeGroups",
        "FindCoordinator",
        "ListGroups",
        "Metadata",
        "ShareGroupDescribe",
        "StreamsGroupDescribe",
    ),
    rights=("Describe on the cluster or on all groups", "Describe on groups", "Describe on all topics"),
)


def observe(kafka: "Kafka") -> Observed:
    """Observe the groups; members of those that are neither consumers' nor Streams' nor share groups are unknown."""
    groups, gaps = kafka.every_group()
    return Observed(rows=[_row(group) for group in groups], gaps=gaps)


def _row(group: AnyGroup) -> KafkaGroup:
    return KafkaGroup(
        group=group.name,
        type=group.type,
        protocol=group.protocol,
        state=group.state,
        assignor=group.assignor,
        members=None if group.members is None else len(group.members),
        idle=None if group.members is None else sum(not (member.assigned or member.copies) for member in group.members),
        coordinator=group.coordinator,
        untold=group.untold,
    )
