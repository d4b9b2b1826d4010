"""Groups of every kind, as brokers list them, and the members of those that librdkafka describes."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from runbook.connections.kafka.answers import Broker, TopicPartition
from runbook.connections.kafka.cluster_requests import check
from runbook.connections.kafka.confluent_client import ConfluentClient
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.model.errors import CannotLook
from runbook.model.quantity import BrokerId, PartitionNumber

_DESCRIBED: Final = frozenset({("classic", "consumer"), ("classic", ""), ("consumer", "consumer")})
"""Type and protocol of the groups that librdkafka can describe."""


class Member(Struct, frozen=True, kw_only=True):
    """A member of a group.

    Attributes:
        instance: "" where it has no group.instance.id.
        assigned: the partitions that it reads.
        copies: whether it keeps copies of others' state (Streams' standby and warm-up tasks), as far as that is told.
    """

    id: str
    client: str
    host: str
    instance: str
    assigned: tuple[TopicPartition, ...]
    copies: bool = False


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

    def without_members(self, untold: str) -> "AnyGroup":
        """The group as it is listed, and why its members are not told."""
        return replace(self, assignor=None, members=None, untold=untold)


def list_groups(client: KafkaPythonClient, broker: Broker) -> list[AnyGroup]:
    """Return the groups that a broker coordinates, as it lists them (ListGroups)."""
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


def described(client: ConfluentClient, listed: Sequence[AnyGroup]) -> list[AnyGroup]:
    """Describe groups, in order of their names; one that can't be described stays as it was listed, and says why.

    Those that are described already (`other_groups`) stay as they are.
    """
    told = client.describe_groups([one.name for one in listed if (one.type, one.protocol) in _DESCRIBED])
    return sorted([_with(group, told.get(group.name)) for group in listed], key=lambda group: group.name)


def _with(group: AnyGroup, told: Any) -> AnyGroup:
    if group.members is not None or group.untold:
        return group
    if told is None:
        return group.without_members(f"it is no consumers' group but {group.protocol or group.type}'s")
    if isinstance(told, CannotLook):
        return group.without_members(str(told))
    return AnyGroup(
        name=group.name,
        type=str(told.type.name).lower(),
        protocol=group.protocol,
        state=str(told.state.name).lower(),
        coordinator=group.coordinator if told.coordinator is None else BrokerId(told.coordinator.id),
        assignor=told.partition_assignor or "",
        members=tuple(_members(told.members)),
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
