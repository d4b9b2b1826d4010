"""What confluent-kafka names by enumerations of its own, in Kafka's words."""

from typing import Any, Final

from runbook.connections.kafka.answers import GroupDescription, GroupMember, Setting, TopicPartition
from runbook.model.quantity import BrokerId, PartitionNumber

_SOURCES: Final = {
    0: "UNKNOWN_CONFIG",
    1: "DYNAMIC_TOPIC_CONFIG",
    2: "DYNAMIC_BROKER_CONFIG",
    3: "DYNAMIC_DEFAULT_BROKER_CONFIG",
    4: "STATIC_BROKER_CONFIG",
    5: "DEFAULT_CONFIG",
    8: "GROUP_CONFIG",
}


def setting(entry: Any) -> Setting:
    """One setting in force."""
    return Setting(entry.value, _SOURCES.get(entry.source, str(entry.source)), entry.is_sensitive, entry.is_read_only)


def description(answer: Any) -> GroupDescription:
    """A group with its members."""
    return GroupDescription(
        state=in_a_word(answer.state),
        type=in_a_word(answer.type),
        coordinator=BrokerId(-1 if answer.coordinator is None else answer.coordinator.id),
        assignor=answer.partition_assignor or "",
        members=tuple(_member(member) for member in answer.members),
    )


def _member(member: Any) -> GroupMember:
    places = member.assignment.topic_partitions if member.assignment else ()
    return GroupMember(
        id=member.member_id,
        client=member.client_id or "",
        host=(member.host or "").removeprefix("/"),
        instance=member.group_instance_id or "",
        assigned=tuple(sorted(TopicPartition(place.topic, PartitionNumber(place.partition)) for place in places)),
    )


def in_a_word(value: Any) -> str:
    """A name in small letters."""
    return str(value.name).lower()


def in_kafkas_words(value: Any) -> str:
    """A name as Kafka writes it: DESCRIBE_CONFIGS is DescribeConfigs."""
    return "".join(part.capitalize() for part in str(value.name).split("_"))
