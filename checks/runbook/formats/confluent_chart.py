"""Values of the chart `cp-helm-charts`, and of its part `cp-kafka` alone: brokers, ZooKeeper and listeners.

The chart runs Kafka with ZooKeeper alone, makes no disruption budget for brokers, and hands settings on as variables.
Read after its templates of the last commit, November 2023; the values of its releases have the same defaults.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from runbook.formats.chart_values import DEFAULTS, SETTINGS, Open, Values, as_settings, heap_of, release_of, unclear
from runbook.formats.nested import part_of
from runbook.formats.quantity import quantity
from runbook.formats.statements import ClusterNodes, ClusterStated, ListenerStated, NodesStated, NotStated, together
from runbook.model.errors import Garbled

BY: Final = "cp-helm-charts"
KAFKA: Final = "cp-kafka"
ZOOKEEPER: Final = "cp-zookeeper"
_OVERRIDES: Final = "configurationOverrides"
_PREFIX: Final = "KAFKA_"
_PROTOCOLS: Final = "listener.security.protocol.map"
_OWN: Final = {"offsets.topic.replication.factor": "3", _PROTOCOLS: "PLAINTEXT:PLAINTEXT,EXTERNAL:PLAINTEXT"}
"""Settings of the chart itself."""
_HEAP: Final = "-Xms512M -Xmx512M"
_IMAGE: Final = "6.1.0"
_KAFKA_OF: Final = {"5.5": "2.5", "6.0": "2.6", "6.1": "2.7", "6.2": "2.8"}
"""Confluent Platform → its Kafka; since 7.0 it is 3 with the same second number."""


def cluster(values: Values) -> ClusterStated:
    """The cluster."""
    kafka, seen = _kafka(values), Open()
    config = _settings(kafka)
    exporter = ("prometheus", "jmx", "enabled")
    nodes = ClusterNodes(
        brokers=seen.known(lambda: kafka.number("brokers", default=3)),
        quorum=seen.known(lambda: _servers(values)),
        kraft=False,
        kafka_version=seen.known(lambda: _version(kafka.text("imageTag", default=_IMAGE))),
        budget=seen.known(lambda: kafka.number("brokers", default=3)),
        metrics=seen.known(lambda: "jmx" if kafka.flag(*exporter, default=True) else ""),
    )
    places = {column: kafka.place(*_place_of(kafka, name)) for column, name in SETTINGS.items()} | {
        "": kafka.place(),
        "brokers": kafka.place("brokers"),
        "budget": kafka.place("brokers"),
        "quorum": values.place(ZOOKEEPER, "servers"),
        "kraft": values.place(ZOOKEEPER),
        "kafka_version": kafka.place("imageTag"),
        "metrics": kafka.place(*exporter),
    }
    return ClusterStated(
        by=BY,
        resource=values.name,
        source=values.source,
        places=places,
        why=together([*seen.reasons, *unclear(config, values.layers)]),
        name=values.name,
        config=config,
        nodes=nodes,
    )


def nodes(values: Values) -> Iterator[NodesStated | NotStated]:
    """Brokers, and the servers of ZooKeeper that the chart runs itself; the reason where they are not known."""
    disks = ("persistence", "disksPerBroker")
    kafka = _kafka(values)
    try:
        yield _nodes(values, kafka, KAFKA, kafka.number("brokers", default=3), kafka.number(*disks, default=1))
    except (NotStated, Garbled) as reason:
        yield NotStated(str(reason))
    try:
        if _runs_zookeeper(values):
            yield _nodes(values, _below(values, ZOOKEEPER), ZOOKEEPER, _servers(values), 2)  # data, and its log
    except (NotStated, Garbled) as reason:
        yield NotStated(str(reason))


def listeners(values: Values) -> Iterator[ListenerStated | NotStated]:
    """The listener inside of Kubernetes, and those that are advertised beside it."""
    kafka = _kafka(values)
    settings = _settings(kafka)
    protocols = settings.get(_PROTOCOLS)
    if protocols is None:
        yield NotStated(f"{_PROTOCOLS}: {values.layers or 'a template'}")
        return
    spoken = dict(each.strip().upper().split(":", 1) for each in protocols.split(",") if ":" in each)
    more = re.findall(r"(\w+)://", settings.get("advertised.listeners") or "EXTERNAL://")
    outside = bool(part_of(kafka.said, "nodeport").get("enabled"))
    certificate = settings.get("ssl.client.auth") == "required"
    for name in dict.fromkeys(["PLAINTEXT", *(each.upper() for each in more)]):
        protocol = spoken.get(name, name)
        leads = outside and name != "PLAINTEXT"
        at = kafka.place(*_place_of(kafka, _PROTOCOLS))
        yield ListenerStated(
            by=BY,
            resource=values.name,
            source=values.source,
            places={"": at, "tls": at, "authentication": at},
            kafka=values.name,
            listener=name,
            port=9092 if name == "PLAINTEXT" else kafka.number("nodeport", "firstListenerPort", default=31090),
            type="nodeport" if leads else "internal",
            outside=leads,
            tls=protocol.endswith("SSL"),
            authentication="sasl" if protocol.startswith("SASL") else "tls" if certificate else "",
        )


def _kafka(values: Values) -> Values:
    """The part that is cp-kafka's own."""
    return _below(values, KAFKA) if KAFKA in values.said else values


def _below(values: Values, key: str) -> Values:
    said = part_of(values.said, key)
    return replace(values, said=said, place=lambda *path: values.place(key, *path))


def _runs_zookeeper(values: Values) -> bool:
    return values.flag(ZOOKEEPER, "enabled", default=True)


def _servers(values: Values) -> int:
    if not _runs_zookeeper(values):
        raise NotStated("how many servers its ZooKeeper has is not said: it belongs to another chart")
    return values.number(ZOOKEEPER, "servers", default=3)


def _settings(kafka: Values) -> dict[str, str | None]:
    """What brokers are set to: variables of customEnv come last."""
    own = {**DEFAULTS, **_OWN}
    given = {
        str(name).removeprefix(_PREFIX).lower().replace("_", "."): value
        for name, value in part_of(kafka.said, "customEnv").items()
        if str(name).startswith(_PREFIX)
    }
    return (dict.fromkeys(own) if kafka.layers else own) | as_settings(kafka.given(_OVERRIDES)) | as_settings(given)


def _place_of(kafka: Values, name: str) -> tuple[str, ...]:
    """Where a setting stands, or would."""
    variable = _PREFIX + name.upper().replace(".", "_")
    return ("customEnv", variable) if kafka.has("customEnv", variable) else (_OVERRIDES, name)


def _version(tag: str) -> str:
    """The Kafka of an image of Confluent Platform."""
    found = re.match(r"(\d+)\.(\d+)", tag)
    if not found:
        raise NotStated("imageTag says no version of Confluent Platform")
    first, second = found.groups()
    return f"3.{second}.0" if first == "7" else f"{_KAFKA_OF.get(f'{first}.{second}', '2')}.0"


def _nodes(values: Values, own: Values, pool: str, replicas: int, volumes: int) -> NodesStated:
    seen = Open()
    resources = seen.known(lambda: own.part("resources"))
    limit = None if resources is None else quantity(part_of(resources, "limits").get("memory"))
    least, most = seen.known(lambda: heap_of(own.text("heapOptions", default=_HEAP), limit)) or (None, None)
    size = "size" if pool == KAFKA else "dataDirSize"
    return NodesStated(
        by=BY,
        resource=values.name,
        source=values.source,
        places={
            "": own.place(),
            "ephemeral": own.place("persistence", "enabled"),
            "memory_limit": own.place("resources", "limits", "memory"),
            "memory_request": own.place("resources", "requests", "memory"),
            "cpu_request": own.place("resources", "requests", "cpu"),
            "apart": own.place("affinity"),
            "heap_max": own.place("heapOptions"),
        },
        why=together(seen.reasons),
        pool=f"{values.name} {pool}",
        kafka=values.name,
        replicas=replicas,
        roles=["broker"] if pool == KAFKA else ["zookeeper"],
        volumes=volumes,
        lasting=own.flag("persistence", "enabled", default=True),
        deleted=False,
        size=own.text("persistence", size, default="5Gi"),
        storage_class=own.text("persistence", "storageClass" if pool == KAFKA else "dataDirStorageClass"),
        resources=resources,
        pod=seen.known(lambda: _pod(own, pool)),
        apart=[],
        heap_min=least,
        heap_max=most,
    )


def _pod(own: Values, pool: str) -> dict[str, Any]:
    affinity = own.part("affinity")
    labels = {"app": own.text("nameOverride", default=pool), "release": release_of(affinity, "release")}
    return {"metadata": {"labels": labels}, "spec": {"affinity": affinity}}


def is_off(values: Values) -> bool:
    """Whether they turn brokers off, as those of a chart that has its Kafka elsewhere."""
    return KAFKA in values.said and part_of(values.said, KAFKA).get("enabled") is False
