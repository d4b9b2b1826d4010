"""Subscriptions to metrics that clients push to brokers (KIP-714), and whether brokers take any."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from runbook.connections.kafka.errors import from_code
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.model.errors import CannotLook

_CLIENT_METRICS: Final = 16
"""The kind of resource, as ListConfigResources and DescribeConfigs number it."""
_RIGHT: Final = "DescribeConfigs on the cluster"


class _GetTelemetrySubscriptions:
    """What clients ask first, never sent here: brokers say that they know it only where they have a receiver."""

    API_KEY = 71


class Subscriptions(Struct, frozen=True):
    """What was told of subscriptions.

    Attributes:
        received: whether the broker that was greeted takes what clients push, which takes a plugin of its own.
        settings: name → its settings, or why they are not known; of all that there are.
    """

    received: bool
    settings: Mapping[str, Mapping[str, str] | CannotLook]


def list_subscriptions(client: KafkaPythonClient) -> Subscriptions | None:
    """Return all subscriptions; None where brokers know of none, as those before Kafka 3.7.

    Raises:
        CannotLook: they are not told. Without the right Kafka refuses; it leaves nothing out.
    """
    from kafka.protocol.admin import ListConfigResourcesRequest

    if not client.knows(ListConfigResourcesRequest):
        return None
    answer = client.ask_any(lambda: ListConfigResourcesRequest(resource_types=[_CLIENT_METRICS]))
    if answer.error_code:
        raise from_code(answer.error_code, "the cluster", right=_RIGHT)
    names = sorted(resource.resource_name for resource in answer.config_resources)
    return Subscriptions(client.knows(_GetTelemetrySubscriptions), _describe(client, names) if names else {})


def _describe(client: KafkaPythonClient, names: Sequence[str]) -> dict[str, Mapping[str, str] | CannotLook]:
    from kafka.protocol.admin import DescribeConfigsRequest

    def build() -> Any:
        return DescribeConfigsRequest(
            resources=[(_CLIENT_METRICS, name, None) for name in names],
            include_synonyms=False,
            include_documentation=False,
        )

    return {
        result.resource_name: from_code(result.error_code, f"subscription {result.resource_name}", right=_RIGHT)
        if result.error_code
        else {entry.name: entry.value or "" for entry in result.configs}
        for result in client.ask_any(build).results
    }
