"""Groups of every kind, as brokers list them, and the members of those that librdkafka describes."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from runbook.answers.kafka import AnyGroup, Broker, GroupDescription
from runbook.connections.kafka.cluster_requests import check
from runbook.connections.kafka.confluent_client import ConfluentClient
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap
from runbook.model.gap_kind import GapKind

_DESCRIBED: Final = frozenset({("classic", "consumer"), ("classic", ""), ("consumer", "consumer")})
"""Type and protocol of the groups that librdkafka can describe."""
_TYPES: Final = frozenset({"classic", "consumer", "share", "streams"})
"""The types of groups whose places in partitions can be asked for."""


def list_groups(client: KafkaPythonClient, broker: Broker) -> list[AnyGroup]:
    """Return the groups that a broker coordinates, as it lists them (ListGroups)."""
    from kafka.protocol.admin import ListGroupsRequest

    answer = client.ask(broker.id, broker.label, ListGroupsRequest(states_filter=[], types_filter=[]))
    check(answer.error_code, broker.label)
    return [
        AnyGroup(
            name=group.group_id,
            type=(getattr(group, "group_type", "") or "classic").lower(),
            protocol=group.protocol_type or "",
            state=(getattr(group, "group_state", "") or "unknown").lower(),
            coordinator=broker.id,
        )
        for group in answer.groups
    ]


def of_unknown_types(listed: Iterable[AnyGroup]) -> Iterator[Gap]:
    """A gap for each group of a type that Kafka has got since: neither its members nor where it stands is known."""
    for group in listed:
        if group.type not in _TYPES:
            said = f"group {group.name} is of the type {group.type}, of which no members and offsets are known here"
            yield Gap(said, {"group": group.name}, kind=GapKind.UNSUPPORTED)


def described(client: ConfluentClient, listed: Sequence[AnyGroup]) -> list[AnyGroup]:
    """Describe groups, in order of their names; one that can't be described stays as it was listed, and says why.

    Those that are described already (`other_groups`) stay as they are.
    """
    descriptions = client.describe_groups(
        [group.name for group in listed if (group.type, group.protocol) in _DESCRIBED]
    )
    return sorted([_with(group, descriptions.get(group.name)) for group in listed], key=lambda group: group.name)


def _with(group: AnyGroup, description: GroupDescription | CannotLook | None) -> AnyGroup:
    if group.members is not None or group.untold:
        return group
    if description is None:
        return group.without_members(f"it is no consumers' group but {group.protocol or group.type}'s")
    if isinstance(description, CannotLook):
        return group.without_members(str(description))
    return AnyGroup(
        name=group.name,
        type=description.type,
        protocol=group.protocol,
        state=description.state,
        coordinator=group.coordinator if description.coordinator < 0 else description.coordinator,
        assignor=description.assignor,
        members=tuple(sorted(description.members, key=lambda member: member.id)),
    )
