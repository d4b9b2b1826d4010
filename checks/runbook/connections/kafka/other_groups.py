"""Share groups and groups of Streams' own protocol, described by their coordinators: librdkafka describes neither.

Importing this module imports kafka-python.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from kafka.protocol.api_message import ApiMessage

from runbook.answers.kafka import AnyGroup, Broker, GroupMember, TopicPartition
from runbook.connections.kafka import group_messages
from runbook.connections.kafka.errors import from_code
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.model.errors import CannotLook
from runbook.model.quantity import PartitionNumber


class ShareGroupDescribeRequest(ApiMessage, load_json=group_messages):  # type: ignore[call-arg, misc]  # kafka-python is untyped
    """Request 77 (KIP-932)."""


class ShareGroupDescribeResponse(ApiMessage, load_json=group_messages):  # type: ignore[call-arg, misc]  # kafka-python is untyped
    """What it is answered with."""


class StreamsGroupDescribeRequest(ApiMessage, load_json=group_messages):  # type: ignore[call-arg, misc]  # kafka-python is untyped
    """Request 89 (KIP-1071)."""


class StreamsGroupDescribeResponse(ApiMessage, load_json=group_messages):  # type: ignore[call-arg, misc]  # kafka-python is untyped
    """What it is answered with."""


_REQUESTS: Final = {"share": ShareGroupDescribeRequest, "streams": StreamsGroupDescribeRequest}
TYPES: Final = tuple(_REQUESTS)
"""The types of groups that are described here."""
_RIGHTS: Final = "Describe on the group and on the topics that it reads"


def described(
    client: KafkaPythonClient, broker: Broker, listed: Sequence[AnyGroup], sizes: Mapping[str, int]
) -> list[AnyGroup]:
    """Describe those of a broker's groups that are of these types; the others stay as they are.

    Args:
        client: who asks.
        broker: their coordinator.
        listed: its groups.
        sizes: topic → how many partitions it has, of those that can be seen. A task of Streams reads the partition of
            its own number of each topic, and of topics with fewer partitions than others none.
    """
    answers: dict[str, AnyGroup | CannotLook] = {}
    for kind in TYPES:
        groups = [group for group in listed if group.type == kind]
        if groups:
            answers |= _ask(client, broker, kind, groups, sizes)
    return [_of(group, answers, broker) if group.type in TYPES else group for group in listed]


def _of(listed: AnyGroup, answers: Mapping[str, AnyGroup | CannotLook], broker: Broker) -> AnyGroup:
    found = answers.get(listed.name)
    if isinstance(found, AnyGroup):
        return found
    return listed.without_members(str(found) if found else f"{broker.label} was asked for it, and left it out")


def _ask(
    client: KafkaPythonClient, broker: Broker, kind: str, groups: Sequence[AnyGroup], sizes: Mapping[str, int]
) -> dict[str, AnyGroup | CannotLook]:
    request = _REQUESTS[kind](group_ids=[group.name for group in groups], include_authorized_operations=False)
    try:
        answer = client.ask(broker.id, broker.label, request)
    except CannotLook as error:
        return {group.name: error for group in groups}
    listed = {group.name: group for group in groups}
    return {
        group.group_id: from_code(group.error_code, f"group {group.group_id}", right=_RIGHTS)
        if group.error_code
        else _with(listed[group.group_id], group, sizes)
        for group in answer.groups
    }


def _with(listed: AnyGroup, description: Any, sizes: Mapping[str, int]) -> AnyGroup:
    return AnyGroup(
        name=listed.name,
        type=listed.type,
        protocol=listed.protocol,
        state=description.group_state.lower(),
        coordinator=listed.coordinator,
        assignor=getattr(description, "assignor_name", ""),
        members=tuple(sorted(_members(listed.type, description, sizes), key=lambda member: member.id)),
    )


def _members(kind: str, description: Any, sizes: Mapping[str, int]) -> Iterator[GroupMember]:
    topics = _topics_of_tasks(description) if kind == "streams" else {}
    for member in description.members:
        assigned = member.assignment
        partitions = _of_tasks(assigned.active_tasks, topics, sizes) if kind == "streams" else _of_topics(assigned)
        yield GroupMember(
            id=member.member_id,
            client=member.client_id,
            host=member.client_host.removeprefix("/"),
            instance=getattr(member, "instance_id", None) or "",
            assigned=tuple(sorted(partitions)),
            copies=kind == "streams" and bool(assigned.standby_tasks or assigned.warmup_tasks),
        )


def _of_topics(assigned: Any) -> Iterator[TopicPartition]:
    for topic in assigned.topic_partitions:
        for number in topic.partitions:
            yield TopicPartition(topic.topic_name, PartitionNumber(number))


def _topics_of_tasks(description: Any) -> dict[str, list[str]]:
    """Subtopology → the topics that its tasks read; a task reads the partition of its number of each."""
    parts = (description.topology.subtopologies or ()) if description.topology else ()
    return {
        part.subtopology_id: [*part.source_topics, *(topic.name for topic in part.repartition_source_topics)]
        for part in parts
    }


def _of_tasks(tasks: Any, topics: dict[str, list[str]], sizes: Mapping[str, int]) -> Iterator[TopicPartition]:
    for task in tasks:
        for topic in topics.get(task.subtopology_id, ()):
            for number in (number for number in task.partitions if number < sizes.get(topic, number + 1)):
                yield TopicPartition(topic, PartitionNumber(number))
