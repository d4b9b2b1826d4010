"""The members of groups that read topics: who they are, where they run, and what they were given to read."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.kafka import AnyGroup, GroupMember
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.quantity import MemberId
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaGroupMember(Row):
    """A member of a consumers', a share or a Streams group."""

    group: Annotated[str, Cell("Group id.", key=True, entity="group")]
    member: Annotated[MemberId, Cell("GroupMember id, which a client gets anew when it joins.", key=True)]
    client: Annotated[str, Cell("client.id.")]
    host: Annotated[str, Cell("Address it connects from, as its coordinator sees it.", entity="host")]
    instance: Annotated[str, Cell("group.instance.id; empty of a member that is not static.")]
    partitions: Annotated[int, Cell("Partitions that it has.", unit="partitions")]
    topics: Annotated[list[str], Cell("Topics of which it has some.", entity="topic")]
    type: Annotated[str, Cell("classic, consumer, share or streams: the protocol it speaks.")]
    state: Annotated[str, Cell("State of its group.")]


PROBE = Probe(
    connections=("kafka",),
    help="One row per member of a group that reads topics: of consumers, a share group or Streams.",
    row=KafkaGroupMember,
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
    """Observe the members; a group whose members are not told is a gap."""
    groups, gaps = kafka.readers()
    rows = [_row(group, member) for group in groups for member in group.members or ()]
    unknown = [
        Gap(f"members of group {group.name} are not known: {group.untold}", {"group": group.name})
        for group in groups
        if group.members is None
    ]
    return Observed(rows=rows, gaps=[*gaps, *unknown])


def _row(group: AnyGroup, member: GroupMember) -> KafkaGroupMember:
    return KafkaGroupMember(
        group=group.name,
        member=MemberId(member.id),
        client=member.client,
        host=member.host,
        instance=member.instance,
        partitions=len(member.assigned),
        topics=sorted({partition.topic for partition in member.assigned}),
        type=group.type,
        state=group.state,
    )
