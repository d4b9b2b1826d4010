"""What Strimzi's operator refuses of a Kafka resource that an API server takes: it then acts on no change of it.

Read from its source, 1.2.0: KafkaCluster.fromCrd, ListenersValidator, NodePoolUtils, CruiseControlMetricsReporter,
OrderedProperties; and compared with what these classes say of generated resources.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from runbook.formats.kafka_settings import nearest
from runbook.formats.kafka_settings.facts import settings
from runbook.formats.kafka_settings.values import NotTakenError, read
from runbook.formats.strimzi_fields import RefusedField, Steps

_NAME: Final = re.compile(r"[a-z0-9]{1,11}")
_LOWEST_PORT: Final = 9092
_TAKEN_PORTS: Final = (9404, 9999)
"""Of the exporter of metrics, and of JMX."""
_COUNTED: Final = (
    *("default.replication.factor", "offsets.topic.replication.factor"),
    *("transaction.state.log.replication.factor", "transaction.state.log.min.isr"),
)
_CONFIG: Final[Steps] = ("spec", "kafka", "config")
_LISTENERS: Final[Steps] = ("spec", "kafka", "listeners")
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
    kafka = spec.get("kafka") or {}
    config = {key: value for key, value in (kafka.get("config") or {}).items() if key not in dropped}
    version = str(kafka.get("version") or _NEWEST)
    found = [*_of_nodes(nodes), *_of_listeners(kafka.get("listeners")), *_of_config(config, version, nodes)]
    if "cruiseControl" in spec and nodes.brokers == 1:
        found.append(RefusedField("Cruise Control needs two brokers", ("spec", "cruiseControl")))
    return found


def _of_nodes(nodes: Nodes) -> Iterator[RefusedField]:
    for role, count in (("broker", nodes.brokers), ("controller", nodes.controllers)):
        if count == 0:
            yield RefusedField(f"no node pool asks for a node with the role {role}", ("spec", "kafka"))


def _of_listeners(listeners: Any) -> Iterator[RefusedField]:
    if not isinstance(listeners, list) or not all(isinstance(each, dict) for each in listeners):
        return  # the API server has refused it
    if not listeners:
        yield RefusedField("there is no listener", _LISTENERS)
    for field in ("name", "port"):
        for value, count in Counter(str(each.get(field)) for each in listeners).items():
            if count > 1:
                yield RefusedField(f"{count} listeners have the {field} {value}", _LISTENERS)
    for place, listener in enumerate(listeners):
        yield from _of_listener(listener, (*_LISTENERS, place))


def _of_listener(listener: Mapping[str, Any], path: Steps) -> Iterator[RefusedField]:
    name, port, kind = str(listener.get("name")), listener.get("port"), listener.get("type")
    if not _NAME.fullmatch(name):
        yield RefusedField(f"listener name {name}: 1 to 11 small letters and digits are allowed", (*path, "name"))
    if isinstance(port, int) and (port < _LOWEST_PORT or port in _TAKEN_PORTS):
        yield RefusedField(
            f"listener {name} has port {port}: {_LOWEST_PORT} is the lowest, 9404 and 9999 are taken", (*path, "port")
        )
    authentication = listener.get("authentication") or {}
    if listener.get("tls"):
        return
    if authentication.get("type") == "tls":
        yield RefusedField(f"listener {name} has authentication tls without TLS", (*path, "authentication"))
    if kind in ("route", "ingress"):
        yield RefusedField(f"listener {name} of type {kind} has no TLS", (*path, "type"))


def _of_config(config: Mapping[str, Any], version: str, nodes: Nodes) -> Iterator[RefusedField]:
    known = nearest("broker", version)
    defined = settings("broker", known[-1]) if known else {}
    for name, value in config.items():
        path = (*_CONFIG, name)
        if value is None:
            yield RefusedField(f"{name} is null", path)
            continue
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if name in _COUNTED and nodes.brokers and text.isdigit() and int(text) > nodes.brokers:
            yield RefusedField(f"{name} is {text}, and there are {nodes.brokers} brokers", path)
        try:
            if name in defined:
                read(name, defined[name], text)
        except NotTakenError as error:
            yield RefusedField(str(error), path)
