"""Whether a broker's file says who it is and where its controllers are, in KRaft mode and in ZooKeeper mode.

The rules are those of KafkaConfig.validateValues and QuorumConfig in Apache Kafka 4.3.0 and 3.9.1; what they ask of
listeners is in `runbook.formats.broker_start`.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from runbook.formats.kafka_settings.values import UNKNOWN

_VOTERS: Final = "controller.quorum.voters"
_SERVERS: Final = "controller.quorum.bootstrap.servers"
_DECISIVE: Final = ("process.roles", "node.id", "broker.id", _VOTERS, _SERVERS)
_NO_VOTERS: Final = (
    f"If using {{}}, either {_SERVERS} must contain the set of bootstrap controllers or {_VOTERS} must contain a "
    "parseable set of controllers."
)
_NOT_A_VOTER: Final = (
    "If process.roles contains the 'controller' role, the node id {} must be included in the set of voters "
    f"{_VOTERS}=Set({{}})"
)
_A_VOTER: Final = (
    "If process.roles contains just the 'broker' role, the node id {} must not be included in the set of voters "
    f"{_VOTERS}=Set({{}})"
)

Refusals = Iterator[tuple[str, str]]
"""DefinedSetting -> why Kafka refuses it."""


def refusals(values: Mapping[str, Any]) -> Refusals:
    """Say why Kafka refuses a broker's settings, by their values as a release has them in force."""
    if any(values.get(name) is UNKNOWN for name in _DECISIVE):
        return
    if not values.get("process.roles"):
        yield from _of_zookeeper(values)
    elif values["node.id"] is not None:  # where it is required and not there, that is said already
        yield from _of_kraft(values, values["process.roles"], values["node.id"])


def _of_kraft(values: Mapping[str, Any], roles: list[str], node: int) -> Refusals:
    if node < 0:
        why = "which is required when `process.roles` is defined (i.e. when running in KRaft mode)."
        yield "node.id", f"Missing configuration `node.id` {why}"
    if len(set(roles)) < len(roles):
        yield "process.roles", f"Duplicate role names found in `process.roles`: {', '.join(roles)}"
    if values.get("zookeeper.metadata.migration.enable") is True and values["zookeeper.connect"] is None:
        migrating = "`zookeeper.metadata.migration.enable` in KRaft mode"
        yield "zookeeper.connect", f"If using {migrating}, `zookeeper.connect` must also be set."
    if values.get("control.plane.listener.name") is not None:
        yield "control.plane.listener.name", "control.plane.listener.name is not supported in KRaft mode."
    yield from _of_voters(values, roles, node)


def _of_voters(values: Mapping[str, Any], roles: list[str], node: int) -> Refusals:
    voters = {int(entry.partition("@")[0]) for entry in values[_VOTERS]}
    listed = ", ".join(map(str, sorted(voters)))
    if not voters and not values.get(_SERVERS):
        yield _VOTERS, _NO_VOTERS.format("process.roles")
    if "controller" in roles and voters and node not in voters:
        yield _VOTERS, _NOT_A_VOTER.format(node, listed)
    if set(roles) == {"broker"}:
        if node in voters:
            yield _VOTERS, _A_VOTER.format(node, listed)
        if values.get("controller.quorum.auto.join.enable") is True:
            name = "controller.quorum.auto.join.enable"
            yield name, f"{name} is only supported when process.roles contains the 'controller' role."


def _of_zookeeper(values: Mapping[str, Any]) -> Refusals:
    if "zookeeper.connect" not in values:  # Kafka 4: process.roles is required, which is said already
        return
    if values["zookeeper.connect"] is None:
        yield "zookeeper.connect", "Missing required configuration `zookeeper.connect` which has no default value."
    controllers, migrates = values.get("controller.listener.names"), values.get("zookeeper.metadata.migration.enable")
    if controllers and not migrates:
        why = f"must be empty when not running in KRaft mode: [{controllers}]"
        yield "controller.listener.names", f"controller.listener.names {why}"
    if migrates is True and not values[_VOTERS] and not values.get(_SERVERS):
        yield _VOTERS, _NO_VOTERS.format("zookeeper.metadata.migration.enable")
    protocols = values.get("group.coordinator.rebalance.protocols", ())
    if protocols is not UNKNOWN and "CONSUMER" in map(str.upper, protocols):
        why = "The new 'consumer' rebalance protocol is only supported in KRaft cluster."
        yield "group.coordinator.rebalance.protocols", why
    yield from _of_generated_ids(values)


def _of_generated_ids(values: Mapping[str, Any]) -> Refusals:
    node, generated, most = values["broker.id"], values["broker.id.generation.enable"], values["reserved.broker.max.id"]
    if UNKNOWN in (node, generated, most):
        return
    if not generated and node < 0:
        yield "broker.id", "broker.id must be greater than or equal to 0"
    if generated and not -1 <= node <= most:
        yield "broker.id", "broker.id must be greater than or equal to -1 and not greater than reserved.broker.max.id"
