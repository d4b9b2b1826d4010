"""What confluent-kafka names by enumerations of its own, in Kafka's words."""

import importlib
from typing import Any, Final

from runbook.answers.kafka import Acl, Broker, Cluster, GroupDescription, GroupMember, Setting, TopicPartition
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


def any_acl() -> Any:
    """The filter that every ACL passes."""
    admin: Any = importlib.import_module("confluent_kafka.admin")  # its types leave out names that it documents
    kind, pattern = admin.ResourceType.ANY, admin.ResourcePatternType.ANY
    operation, permission = admin.AclOperation.ANY, admin.AclPermissionType.ANY
    return admin.AclBindingFilter(kind, None, pattern, None, None, operation, permission)


def acl(entry: Any) -> Acl:
    """One ACL."""
    return Acl(
        principal=entry.principal,
        host=entry.host,
        operation=in_kafkas_words(entry.operation),
        permission=in_kafkas_words(entry.permission_type),
        resource_type=in_kafkas_words(entry.restype),
        resource=entry.name,
        pattern=in_kafkas_words(entry.resource_pattern_type),
    )


def cluster(answer: Any) -> Cluster:
    """The brokers that are in service, and our rights."""
    from confluent_kafka.admin import AclOperation  # type: ignore[attr-defined]  # public, yet not re-exported

    rights = answer.authorized_operations
    return Cluster(
        id=answer.cluster_id,
        brokers=tuple(
            Broker(id=node.id, host=node.host, port=node.port, rack=node.rack or "", fenced=False)
            for node in answer.nodes
        ),
        controller=BrokerId(-1 if answer.controller is None else answer.controller.id),
        describes_all=None if rights is None else AclOperation.DESCRIBE in rights,
    )


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
