"""Groups of every kind with their members: of both consumer protocols described, of the others as they are listed."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import Struct

from runbook.connections.kafka.answers import Broker, TopicPartition
from runbook.connections.kafka.behind import ClientsBehind
from runbook.connections.kafka.cluster_requests import check
from runbook.connections.kafka.errors import from_librdkafka, silence
from runbook.connections.kafka.groups import hidden_groups, lost_coordinators
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.connections.kafka.reader import Kafka
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap
from runbook.model.quantity import BrokerId, PartitionNumber

_AT_ONCE: Final = 200
_DESCRIBED: Final = frozenset({("classic", "consumer"), ("classic", ""), ("consumer", "consumer")})
"""Type and protocol of the groups that librdkafka can describe."""


class Member(Struct, frozen=True, kw_only=True):
    """A member of a group; `instance` is "" where it has no group.instance.id."""

    id: str
    client: str
    host: str
    instance: str
    assigned: tuple[TopicPartition, ...]


class AnyGroup(Struct, frozen=True, kw_only=True):
    """A group.

    Attributes:
        type: classic, consumer, share, streams.
        protocol: consumer, connect, share, …; "" of a group that only keeps offsets.
        assignor: None where it is not told.
        members: None where they are not told; `untold` says why.
    """

    name: str
    type: str
    protocol: str
    state: str
    coordinator: BrokerId
    assignor: str | None = None
    members: tuple[Member, ...] | None = None
    untold: str = ""


Found = tuple[list[AnyGroup], list[Gap]]


def every_group(kafka: Kafka) -> Found:
    """Return the groups of every kind in order of their names, and what keeps the list from being proved complete."""
    behind = ClientsBehind(kafka)
    return behind.once("groups of every kind", lambda: _ask(kafka, behind))


def _ask(kafka: Kafka, behind: ClientsBehind) -> Found:
    told, silent = kafka.of_each_broker(lambda broker: _listed(behind.python, broker))
    gaps = lost_coordinators(kafka.topics(), silent, complete=not kafka.topics_gaps())
    if not kafka.cluster().describes_all:
        gaps += hidden_groups(behind.confluent)
    groups = [group for listed in told.values() for group in listed]
    described = _described(behind, [one.name for one in groups if (one.type, one.protocol) in _DESCRIBED])
    found = [_with(group, described.get(group.name)) for group in groups]
    return sorted(found, key=lambda group: group.name), gaps


def _listed(client: KafkaPythonClient, broker: Broker) -> list[AnyGroup]:
    from kafka.protocol.admin import ListGroupsRequest

    answer = client.ask(broker.id, broker.label, ListGroupsRequest(states_filter=[], types_filter=[]))
    check(answer.error_code, broker.label)
    return [
        AnyGroup(
            name=one.group_id,
            type=(getattr(one, "group_type", "") or "classic").lower(),
            protocol=one.protocol_type or "",
            state=(getattr(one, "group_state", "") or "unknown").lower(),
            coordinator=broker.id,
        )
        for one in answer.groups
    ]


def _described(behind: ClientsBehind, names: Sequence[str]) -> dict[str, Any]:
    """What librdkafka tells of groups, or why it does not (DescribeGroups, ConsumerGroupDescribe)."""
    from confluent_kafka import KafkaException

    found: dict[str, Any] = {}
    for start in range(0, len(names), _AT_ONCE):
        seconds = behind.clock.request()
        asked = behind.admin.describe_consumer_groups([*names[start : start + _AT_ONCE]], request_timeout=seconds)
        for name, future in asked.items():
            try:
                found[name] = future.result(timeout=seconds + 0.3)
            except KafkaException as error:
                found[name] = from_librdkafka(error.args[0], f"group {name}", right="Describe on the group")
            except TimeoutError:
                found[name] = silence(f"the coordinator of group {name}", seconds)
    return found


def _with(group: AnyGroup, told: Any) -> AnyGroup:
    if told is None:
        why = f"members of a {group.type} group are not told by the client library"
        return _same(
            group, untold=why if group.type != "classic" else f"it is no consumers' group but {group.protocol}'s"
        )
    if isinstance(told, CannotLook):
        return _same(group, untold=str(told))
    return AnyGroup(
        name=group.name,
        type=str(told.type.name).lower(),
        protocol=group.protocol,
        state=str(told.state.name).lower(),
        coordinator=group.coordinator if told.coordinator is None else BrokerId(told.coordinator.id),
        assignor=told.partition_assignor or "",
        members=tuple(_members(told.members)),
    )


def _same(group: AnyGroup, *, untold: str) -> AnyGroup:
    return AnyGroup(
        name=group.name,
        type=group.type,
        protocol=group.protocol,
        state=group.state,
        coordinator=group.coordinator,
        untold=untold,
    )


def _members(told: Iterable[Any]) -> list[Member]:
    found = []
    for one in told:
        places = one.assignment.topic_partitions if one.assignment else ()
        assigned = tuple(sorted(TopicPartition(place.topic, PartitionNumber(place.partition)) for place in places))
        found.append(
            Member(
                id=one.member_id,
                client=one.client_id or "",
                host=(one.host or "").removeprefix("/"),
                instance=one.group_instance_id or "",
                assigned=assigned,
            )
        )
    return sorted(found, key=lambda member: member.id)
