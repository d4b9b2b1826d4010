"""Consumer groups: which there are, and whether that can be all of them."""

from collections.abc import Mapping, Sequence

from runbook.answers.kafka import ConsumerGroup, GroupDescription, Partition
from runbook.connections.kafka.confluent_client import ConfluentClient
from runbook.model.errors import CannotLook, Denied, NotThere
from runbook.model.fact import Gap
from runbook.model.gap_kind import GapKind

_OFFSETS = "__consumer_offsets"


def list_groups_of_all(client: ConfluentClient) -> tuple[list[ConsumerGroup], list[Gap]]:
    """List the groups of all brokers at once; librdkafka does not say which of them failed."""
    groups, errors = client.groups()
    return groups, [Gap.of(error, says=f"groups may be missing: {error}") for error in errors]


def lost_coordinators(
    topics: Mapping[str, Sequence[Partition]],
    silent: list[Gap],
    *,
    complete: bool,
    topic: str = _OFFSETS,
    what: str = "groups",
) -> list[Gap]:
    """Return which silent brokers matter: a group lives at the leader of its partition of the offsets topic.

    Args:
        topics: those that can be seen.
        silent: a gap per broker that did not list its groups.
        complete: whether `topics` are all there are; then no offsets topic means no groups.
        topic: the one that holds them.
        what: is coordinated by the leaders of its partitions.
    """
    partitions = topics.get(topic)
    if partitions is None:
        return [] if complete else silent
    leaders = {partition.leader for partition in partitions}
    leaderless = [
        Gap(f"{what} are out of sight: {topic}-{partition.number} has no leader", {"topic": topic})
        for partition in partitions
        if partition.leader < 0
    ]
    return [gap for gap in silent if gap.keys["broker"] in leaders] + leaderless


def hidden_groups(client: ConfluentClient) -> list[Gap]:
    """Return a gap unless we may see every group.

    Without Describe, Kafka leaves groups out and reports no error. So it is asked about a group that can't exist:
    "no such group" proves that every name is visible to us.
    """
    name = client.clock.unused_name("group")
    seen = client.describe_groups([name])[name]
    if isinstance(seen, Denied):
        said = "groups may be hidden from us: we have Describe neither on the cluster nor on all groups"
        return [Gap(said, kind=GapKind.DENIED)]
    if isinstance(seen, CannotLook) and not isinstance(seen, NotThere):
        return [Gap.of(seen, says=f"groups may be hidden from us: {seen}")]
    return []


def describe_groups(client: ConfluentClient, listed: Sequence[ConsumerGroup]) -> list[ConsumerGroup]:
    """Describe groups, in order of their names; one that can't be described stays as it was listed."""
    descriptions = client.describe_groups([group.name for group in listed])
    found = [_with(group, descriptions[group.name]) for group in listed]
    return sorted(found, key=lambda group: group.name)


def _with(group: ConsumerGroup, description: GroupDescription | CannotLook) -> ConsumerGroup:
    """A group as librdkafka describes it; where it does not, as it was listed."""
    if isinstance(description, CannotLook):
        return group
    return ConsumerGroup(
        name=group.name,
        state=description.state,
        type=description.type,
        coordinator=description.coordinator,
        assignor=description.assignor,
        members=len(description.members),
    )
