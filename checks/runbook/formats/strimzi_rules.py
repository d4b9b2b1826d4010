"""What Strimzi's operator refuses of a Kafka resource that an API server takes: it then acts on no change of it.

Read from its source, 1.2.0: KafkaCluster.fromCrd, NodePoolUtils, CruiseControlMetricsReporter, OrderedProperties; and
compared with what these classes say of generated resources.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from runbook.formats.kafka_settings import nearest
from runbook.formats.kafka_settings.facts import settings
from runbook.formats.kafka_settings.values import NotTakenError, read
from runbook.formats.nested import part_of
from runbook.formats.strimzi_fields import RefusedField, Steps
from runbook.formats.strimzi_listener_rules import of_listeners
from runbook.formats.strimzi_pod_rules import of_labels, of_pod, of_storage

_COUNTED: Final = (
    *("default.replication.factor", "offsets.topic.replication.factor"),
    *("transaction.state.log.replication.factor", "transaction.state.log.min.isr"),
)
_COUNT: Final = re.compile(r"[0-9]{1,18}")
_CONFIG: Final[Steps] = ("spec", "kafka", "config")
_KAFKA: Final[Steps] = ("spec", "kafka")
_REPORTED: Final = {
    "cruise.control.metrics.topic.num.partitions": "num.partitions",
    "cruise.control.metrics.topic.replication.factor": "default.replication.factor",
    "cruise.control.metrics.topic.min.insync.replicas": "",
}
"""Settings of the topic of Cruise Control's reporter → those that count where they are not set."""
_LEVEL: Final = re.compile(r"(\d+)\.(\d+)(-IV\d+)?")
_OLDEST_LEVEL: Final = (3, 3)
"""Of Kafka 4."""
_NEWEST: Final = "4.3.0"


class Nodes(Struct, frozen=True, kw_only=True):
    """Nodes that the pools of a Kafka resource ask for; without pools, None."""

    brokers: int | None
    controllers: int | None


def refused(spec: Mapping[str, Any], nodes: Nodes, dropped: Sequence[str]) -> list[RefusedField]:
    """Why the operator refuses a Kafka resource.

    Args:
        spec: the resource's.
        nodes: what its pools ask for.
        dropped: settings of `config` that it leaves out, and so does not read.
    """
    kafka = part_of(spec, "kafka")
    config = {key: value for key, value in part_of(kafka, "config").items() if key not in dropped}
    found = [*_of_nodes(nodes), *of_listeners(kafka.get("listeners"), nodes.brokers)]
    found += [*_of_config(config, str(kafka.get("version") or _NEWEST), nodes), *_of_level(kafka), *_of_quotas(kafka)]
    found += _of_cruise_control(config, nodes) if "cruiseControl" in spec else ()
    return [*found, *of_pod(kafka, _KAFKA)]


def of_pool(resource: Mapping[str, Any]) -> list[RefusedField]:
    """Why it refuses the Kafka resource of a node pool."""
    spec = part_of(resource, "spec")
    storage = of_storage(part_of(spec, "storage"), ("spec", "storage"))
    return [*of_labels(resource), *of_pod(spec, ("spec",)), *storage]


def _of_nodes(nodes: Nodes) -> Iterator[RefusedField]:
    for role, count in (("broker", nodes.brokers), ("controller", nodes.controllers)):
        if count == 0:
            yield RefusedField(f"no node pool asks for a node with the role {role}", ("spec", "kafka"))


def _of_level(kafka: Mapping[str, Any]) -> Iterator[RefusedField]:
    level = str(kafka.get("metadataVersion") or "")
    found = _LEVEL.fullmatch(level)
    is_old = found and (int(found[1]), int(found[2])) < _OLDEST_LEVEL and not str(kafka.get("version")).startswith("3.")
    if level and (not found or is_old):
        yield RefusedField(f"metadata version {level} is not known, or too old", (*_KAFKA, "metadataVersion"))


def _of_quotas(kafka: Mapping[str, Any]) -> Iterator[RefusedField]:
    quotas = part_of(kafka, "quotas")
    if {"minAvailableBytesPerVolume", "minAvailableRatioPerVolume"} <= quotas.keys():
        yield RefusedField("quotas has both, bytes and a ratio that each volume keeps free", (*_KAFKA, "quotas"))


def _of_cruise_control(config: Mapping[str, Any], nodes: Nodes) -> Iterator[RefusedField]:
    if nodes.brokers == 1:
        yield RefusedField("Cruise Control needs two brokers", ("spec", "cruiseControl"))
    numbers = {}
    for name, default in _REPORTED.items():
        text = str(config.get(name, config.get(default, 1)))
        if not text.lstrip("-").isdigit():
            yield RefusedField(f"{name} is no whole number", (*_CONFIG, name))
            return
        numbers[name] = int(text)
    (copies_name, copies), (least_name, least) = list(numbers.items())[1:]
    if nodes.brokers and copies > nodes.brokers:
        yield RefusedField(f"{copies_name} is {copies}, and there are {nodes.brokers} brokers", (*_CONFIG, copies_name))
    if least > copies:
        yield RefusedField(f"{least_name} is {least}, of {copies} copies", (*_CONFIG, least_name))


def _of_config(config: Mapping[str, Any], version: str, nodes: Nodes) -> Iterator[RefusedField]:
    known = nearest("broker", version)
    defined = settings("broker", known[-1]) if known else {}
    for name, value in config.items():
        path = (*_CONFIG, name)
        if value is None:
            yield RefusedField(f"{name} is null", path)
            continue
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if name in _COUNTED and nodes.brokers and _COUNT.fullmatch(text) and int(text) > nodes.brokers:
            yield RefusedField(f"{name} is {text}, and there are {nodes.brokers} brokers", path)
        try:
            if name in defined:
                read(name, defined[name], text)
        except NotTakenError as error:
            yield RefusedField(str(error), path)
