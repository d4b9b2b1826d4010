"""Which chart values are for: by what they hold, and by the Chart.yaml that asks for a chart below a key."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from msgspec import Struct

from runbook.formats.chart_values import as_settings
from runbook.formats.confluent_chart import KAFKA
from runbook.formats.kafka_settings.facts import Kind, releases, settings
from runbook.formats.nested import list_of, part_of

BITNAMI: Final = "bitnami/kafka"
CONFLUENT: Final = "cp-helm-charts"
_REPOSITORIES: Final = "bitnami"
_LISTENERS: Final = ("client", "interbroker", "controller", "external")
_OLD: Final = (
    *("autoCreateTopicsEnable", "deleteTopicEnable", "defaultReplicationFactor", "offsetsTopicReplicationFactor"),
    *("transactionStateLogReplicationFactor", "transactionStateLogMinIsr", "allowEveryoneIfNoAclFound"),
    *("authorizerClassName", "allowPlaintextListener", "interBrokerListenerName"),
)
"""Values that only the chart before 24 has."""
_TEXTS: Final = ("extraConfig", "extraConfigYaml", "overrideConfiguration", "config", "configurationOverrides")

_IMAGES: Final = ("cp-kafka", "cp-server", "cp-enterprise-kafka")
_CLIENTS: Final[tuple[Kind, ...]] = ("producer", "consumer", "admin", "connect", "streams")
_PROTOCOLS: Final = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")


class Found(Struct, frozen=True):
    """Values of a chart, or what may be some.

    Attributes:
        chart: which one; empty where it is not known.
        path: the key that they stand below; empty for the root.
        major: the chart's first release number, where a Chart.yaml says it.
        problem: why they can't be read; empty where they can.
    """

    chart: str
    path: tuple[str, ...] = ()
    major: int | None = None
    problem: str = ""


class Dependency(Struct, frozen=True):
    """A chart that a Chart.yaml asks for, the key of its values, and its first release number."""

    key: str
    chart: str
    major: int | None


def dependencies(value: Mapping[str, Any]) -> list[Dependency]:
    """The charts of Kafka that a Chart.yaml asks for."""
    return [
        Dependency(str(each.get("alias") or each["name"]), BITNAMI, _major(each.get("version")))
        for each in list_of(value, "dependencies")
        if each.get("name") == "kafka" and _REPOSITORIES in str(each.get("repository"))
    ]


def is_chart(value: Any) -> bool:
    """Whether a document is a Chart.yaml."""
    return isinstance(value, Mapping) and value.get("apiVersion") in ("v1", "v2") and {"name", "version"} <= {*value}


def values_in(value: Any, asked: list[Dependency]) -> Iterator[Found]:
    """The values of charts of Kafka that a document holds: at its root, or below a key of it."""
    if not isinstance(value, Mapping) or "kind" in value:
        return
    if found := _kind(value):
        yield found
        return
    known = {each.key: each for each in asked}
    for key, below in value.items():
        if not isinstance(below, Mapping):
            continue
        found = _kind(below)
        if str(key) in known:
            major = known[str(key)].major
            yield Found(BITNAMI, (str(key),), major, problem=found.problem if found and found.chart else "")
        elif found and (found.chart or "kafka" in str(key).lower()):
            yield Found(found.chart, (str(key),), problem=found.problem)


def _kind(value: Mapping[str, Any]) -> Found | None:
    if isinstance(value.get(KAFKA), Mapping):
        return Found(CONFLUENT)
    if isinstance(value.get("configurationOverrides"), Mapping) and _is_cp_kafka(value):
        return Found(CONFLUENT)
    old, new = _is_before_24(value), _is_bitnami(value)
    if old or (new and "replicaCount" in value and not {"controller", "broker"} & {*value}):
        why = "the values of Bitnami's chart before version 24 declare Kafka in a way that is not read here"
        return Found(BITNAMI, problem=why)
    if new:
        return Found(BITNAMI)
    named = next((key for key in _TEXTS if _of_kafka() & {*as_settings(value.get(key))}), "")
    why = f"{named} has settings of Kafka, but which chart they are values for is not clear: nothing of it is judged"
    return Found("", problem=why) if named else None


def _is_cp_kafka(value: Mapping[str, Any]) -> bool:
    """Whether they are of the part of brokers: those beside it have a ZooKeeper and overrides, too."""
    image = str(value.get("image", "")).rpartition("/")[2]
    return "brokers" in value or "disksPerBroker" in part_of(value, "persistence") or image in _IMAGES


def _is_before_24(value: Mapping[str, Any]) -> bool:
    auth = part_of(value, "auth")
    return (
        any(key in value for key in _OLD)
        or "interBrokerProtocol" in auth
        or ("clientProtocol" in auth and "zookeeper" in value)
    )


def _is_bitnami(value: Mapping[str, Any]) -> bool:
    """Whether something stands there that only Bitnami's chart has, or its image."""
    repository = str(part_of(value, "image").get("repository", ""))
    provisioning, sasl = part_of(value, "provisioning"), part_of(value, "sasl")
    return (
        repository.endswith(("bitnami/kafka", "bitnamilegacy/kafka"))
        or any(str(part_of(value, "listeners", key).get("protocol")).upper() in _PROTOCOLS for key in _LISTENERS)
        or any("name" in each for each in list_of(provisioning, "topics"))
        or "controllerOnly" in part_of(value, "controller")
        or bool({"interBrokerMechanism", "controllerMechanism"} & {*sasl})
    )


def _major(version: Any) -> int | None:
    first = str(version or "").lstrip("~^v=>< ").partition(".")[0]
    return int(first) if first.isdecimal() and not str(version).startswith(">") else None


@cache
def _of_kafka() -> frozenset[str]:
    """Settings that brokers have, and neither their clients nor workers of Connect."""
    newest = releases()[-1]
    others = {name for kind in _CLIENTS for name in settings(kind, newest)}
    return frozenset(name for name in settings("broker", newest) if "." in name and name not in others)
