"""Requests about offsets, made through kafka-python, and what their responses mean. None of them reads a record."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from runbook.answers.kafka import TopicPartition
from runbook.answers.kafka.offsets import OffsetAndTimestamp
from runbook.connections.kafka.errors import from_code
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.model.errors import CannotLook
from runbook.model.quantity import Offset

_WITH_ISOLATION: Final = 2  # the first version of ListOffsets that asks for it (Kafka 0.11, KIP-98)
_WITH_NEWEST: Final = 7  # the first version of ListOffsets that knows NEWEST
_BATCHES: Final = 8  # of OffsetFetch: from this version on it asks for many groups at once (Kafka 3.0, KIP-709)
_ALL_TOPICS: Final = 2  # of OffsetFetch: from this version on it takes no topics for all of them (Kafka 0.10.2, KIP-88)
GROUPS_AT_ONCE: Final = 100
"""Groups that a coordinator is asked for at a time: 200 KB, if each reads a hundred partitions. Our judgement."""


def tells_newest(client: KafkaPythonClient) -> bool:
    """Whether brokers tell the record with the latest timestamp."""
    from kafka.protocol.consumer import ListOffsetsRequest

    return client.knows(ListOffsetsRequest, _WITH_NEWEST)


def list_offsets(
    client: KafkaPythonClient, node: int, label: str, times: Mapping[TopicPartition, int], isolation: int
) -> dict[TopicPartition, OffsetAndTimestamp | CannotLook]:
    """Ask a leader for places in its partitions.

    Args:
        client: who asks.
        node: the leader.
        label: what sentences call it.
        times: partition that it leads → ms since 1970, or one of the constants of `answers.kafka.offsets`; the
            first record from then on is told.
        isolation: READ_COMMITTED or READ_UNCOMMITTED.

    Raises:
        CannotLook: it does not answer, or is too old for the question.
    """
    from kafka.protocol.consumer import ListOffsetsRequest

    topics: dict[str, list[Any]] = {}
    topic_type = ListOffsetsRequest.ListOffsetsTopic
    for (topic, partition), time in times.items():
        asked = topic_type.ListOffsetsPartition(partition_index=partition, timestamp=time)
        topics.setdefault(topic, []).append(asked)
    special = [ListOffsetsRequest.min_version_for_timestamp(time) for time in {*times.values()} if time < 0]
    request = ListOffsetsRequest(
        isolation_level=isolation,
        topics=[topic_type(name=name, partitions=partitions) for name, partitions in topics.items()],
        min_version=max([_WITH_ISOLATION if isolation else 1, *special]),
    )
    return {
        TopicPartition(topic.name, partition.partition_index): _refusal(
            partition.error_code, f"{topic.name}-{partition.partition_index}"
        )
        or OffsetAndTimestamp(offset=partition.offset, timestamp=partition.timestamp)
        for topic in client.ask(node, label, request).topics
        for partition in topic.partitions
    }


class GroupCommits(Struct, frozen=True, gc=False):
    """What a group has committed, and why it is not known of some partitions.

    Attributes:
        lags: of a share group: each of its partitions → records that it has not dealt with; None where that is not
            told. Those that are not among the offsets it has not begun to read.
    """

    offsets: dict[TopicPartition, Offset]
    refused: list[CannotLook]
    lags: dict[TopicPartition, int | None] = {}


def fetch_commits(
    client: KafkaPythonClient, node: int, label: str, groups: Sequence[str], same: dict[TopicPartition, TopicPartition]
) -> dict[str, GroupCommits | CannotLook]:
    """Ask a coordinator for what its groups have committed, some of them at a time: answers are large.

    Args:
        client: who asks.
        node: the coordinator.
        label: what sentences call it.
        groups: those that it coordinates.
        same: what is equal to a partition → the one object that all groups share for it; what is new is added.

    Returns:
        By group: for each partition that it has committed to, the offset of the record that is to be read next.

    Raises:
        CannotLook: it does not answer.
    """
    from kafka.protocol.consumer import OffsetFetchRequest

    if not client.knows(OffsetFetchRequest, _BATCHES):
        return {group: _one_by_one(client, node, label, group, same) for group in groups}
    found: dict[str, GroupCommits | CannotLook] = {}
    for first in range(0, len(groups), GROUPS_AT_ONCE):
        asked = [
            OffsetFetchRequest.OffsetFetchRequestGroup(group_id=group, topics=None)
            for group in groups[first : first + GROUPS_AT_ONCE]
        ]
        request = OffsetFetchRequest(groups=asked, min_version=_BATCHES, max_version=_BATCHES)
        for group in client.ask(node, label, request).groups:
            refused = _refusal(group.error_code, f"group {group.group_id}", "Describe on the group")
            found[group.group_id] = refused or _commits_in(group.group_id, group.topics, same)
    return found


def _one_by_one(
    client: KafkaPythonClient, node: int, label: str, group: str, same: dict[TopicPartition, TopicPartition]
) -> GroupCommits | CannotLook:
    """The commits of one group, as a coordinator tells them that is asked for one at a time (before Kafka 3.0)."""
    from kafka.protocol.consumer import OffsetFetchRequest

    request = OffsetFetchRequest(group_id=group, topics=None, min_version=_ALL_TOPICS, max_version=_BATCHES - 1)
    answer = client.ask(node, label, request)
    refused = _refusal(answer.error_code, f"group {group}", "Describe on the group")
    return refused or _commits_in(group, answer.topics, same)


def _commits_in(group: str, topics: Any, same: dict[TopicPartition, TopicPartition]) -> GroupCommits:
    """The commits of a group; a partition without one is told as -1, and left out."""
    offsets, refused = {}, []
    for topic in topics:
        name = topic.name
        for partition in topic.partitions:
            if partition.error_code:
                subject = f"group {group} on {name}-{partition.partition_index}"
                refused.append(from_code(partition.error_code, subject, right="Describe on the topic"))
            elif partition.committed_offset >= 0:
                topic_partition = TopicPartition(name, partition.partition_index)
                offsets[same.setdefault(topic_partition, topic_partition)] = partition.committed_offset
    return GroupCommits(offsets, refused)


def _refusal(code: int, subject: str, right: str = "Describe on the topic") -> CannotLook | None:
    return from_code(code, subject, right=right) if code else None
