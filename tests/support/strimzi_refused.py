"""Custom resources with one mistake each that an API server takes, and Strimzi's operator may refuse; and near ones.

Of each it is kept what the operator makes of it (`support/strimzi_made.py`), so that none has to be believed.
"""

from collections.abc import Iterator
from typing import Any, Final

from support.strimzi_rarer import cluster, inside
from support.strimzi_resources import Resource, resource

_CERTIFICATE: Final = {"secretName": "own", "certificate": "tls.crt", "key": "tls.key"}
_BROKERS: Final[list[Resource]] = [{"broker": number, "host": f"b{number}.example.com"} for number in range(3)]
_HOSTS: Final = {"bootstrap": {"host": "orders.example.com"}, "brokers": _BROKERS}
_FIELDS: Final[dict[str, Any]] = {
    "useServiceDnsDomain": True,
    "createBootstrapService": False,
    "ipFamilyPolicy": "SingleStack",
    "ipFamilies": ["IPv4"],
    "class": "nginx",
    "externalTrafficPolicy": "Local",
    "loadBalancerSourceRanges": ["192.0.2.0/24"],
    "allocateLoadBalancerNodePorts": False,
    "finalizers": ["own"],
    "preferredNodePortAddressType": "InternalIP",
    "publishNotReadyAddresses": True,
    "hostTemplate": "b-{nodeId}.example.com",
    "perBrokerLabelsTemplate": {"a": "b"},
    "perBrokerAnnotationsTemplate": {"a": "b"},
    "parentRefs": [{"name": "gateway"}],
    "bootstrap": {
        "host": "orders.example.com",
        "loadBalancerIP": "192.0.2.1",
        "nodePort": 32000,
        "externalIPs": ["192.0.2.1"],
        "labels": {"a": "b"},
        "annotations": {"a": "b"},
        "alternativeNames": ["orders"],
    },
    "brokers": {
        "host": "b.example.com",
        "loadBalancerIP": "192.0.2.1",
        "nodePort": 32000,
        "externalIPs": ["192.0.2.1"],
        "labels": {"a": "b"},
        "annotations": {"a": "b"},
        "advertisedHost": "b",
        "advertisedPort": 9999,
    },
    "brokerCertChainAndKey": _CERTIFICATE,
    "maxConnections": 100,
}
"""Fields of a listener's configuration, of which each type has some."""
_TYPES: Final = ("internal", "cluster-ip", "nodeport", "loadbalancer", "ingress", "route", "tlsroute")
_NEEDED: Final[dict[str, Resource]] = {
    "ingress": _HOSTS,
    "tlsroute": _HOSTS | {"parentRefs": [{"name": "gateway"}]},
}
"""Type of listener → the configuration without which it is refused."""

_LISTENERS: Final[dict[str, Resource]] = {
    "an ingress without configuration": {"type": "ingress"},
    "an ingress without hosts": {"type": "ingress", "configuration": {"class": "nginx"}},
    "an ingress without a bootstrap host": {"type": "ingress", "configuration": {"brokers": _BROKERS}},
    "an ingress without brokers": {"type": "ingress", "configuration": {"bootstrap": _HOSTS["bootstrap"]}},
    "an ingress without one broker": {"type": "ingress", "configuration": _HOSTS | {"brokers": _BROKERS[:2]}},
    "an ingress with other brokers": {
        "type": "ingress",
        "configuration": _HOSTS | {"brokers": [each | {"broker": 7 + each["broker"]} for each in _BROKERS]},
    },
    "an ingress with a template": {
        "type": "ingress",
        "configuration": {"bootstrap": _HOSTS["bootstrap"], "hostTemplate": "b-{nodeId}"},
    },
    "a TLSRoute without configuration": {"type": "tlsroute"},
    "a TLSRoute without parents": {"type": "tlsroute", "configuration": _HOSTS},
    "a TLSRoute in clear": {"type": "tlsroute", "tls": False, "configuration": _NEEDED["tlsroute"]},
    "a route without configuration": {"type": "route"},
    "a certificate in clear": {"tls": False, "configuration": {"brokerCertChainAndKey": _CERTIFICATE}},
    "a certificate without a secret": {"configuration": {"brokerCertChainAndKey": _CERTIFICATE | {"secretName": ""}}},
    "a certificate without a key": {"configuration": {"brokerCertChainAndKey": _CERTIFICATE | {"key": ""}}},
    "empty lists": {"configuration": {"loadBalancerSourceRanges": [], "finalizers": [], "ipFamilies": []}},
    "a bootstrap Service": {"configuration": {"createBootstrapService": True}},
}
_CLAIM: Final = {"type": "persistent-claim", "size": "1Gi"}
_STORAGE: Final[dict[str, Resource]] = {
    "no volume": {"type": "jbod", "volumes": []},
    "volumes left out": {"type": "jbod"},
    "a claim without a size": {"type": "persistent-claim"},
    "a volume without a size": {"type": "jbod", "volumes": [{"id": 0, "type": "persistent-claim"}]},
    "a volume without an id": {"type": "jbod", "volumes": [_CLAIM]},
    "a volume twice": {"type": "jbod", "volumes": [{"id": 0} | _CLAIM, {"id": 0} | _CLAIM]},
    "metadata twice": {"type": "jbod", "volumes": [{"id": n, "kraftMetadata": "shared"} | _CLAIM for n in (0, 1)]},
    "an empty size": {"type": "persistent-claim", "size": ""},
}
_CONTAINER: Final[dict[str, Resource]] = {
    "more CPU asked for than allowed": {"requests": {"cpu": "2"}, "limits": {"cpu": "1500m"}},
    "more memory asked for than allowed": {"requests": {"memory": "2Gi"}, "limits": {"memory": "2G"}},
    "no CPU": {"requests": {"cpu": "0"}},
    "no memory allowed": {"limits": {"memory": 0}},
    "as much as allowed": {"requests": {"cpu": "1"}, "limits": {"cpu": "1000m"}},
}
_METRICS: Final[dict[str, Resource]] = {
    "an exporter without rules": {"type": "jmxPrometheusExporter"},
    "an exporter without a key": {"type": "jmxPrometheusExporter", "valueFrom": {"configMapKeyRef": {"name": "m"}}},
    "an empty allow list": {"type": "strimziMetricsReporter", "values": {"allowList": []}},
    "a wrong allow list": {"type": "strimziMetricsReporter", "values": {"allowList": ["kafka_(.*"]}},
}
_KAFKA: Final[dict[str, Resource]] = {
    "two ways to keep room": {
        "quotas": {"type": "strimzi", "minAvailableBytesPerVolume": 1, "minAvailableRatioPerVolume": 0.1}
    },
    "one way to keep room": {"quotas": {"type": "strimzi", "minAvailableBytesPerVolume": 1}},
    "an old metadata version": {"metadataVersion": "3.2"},
    "no metadata version": {"metadataVersion": "newest"},
    "a metadata version": {"metadataVersion": "4.2"},
    "an old version": {"version": "3.9.0"},
    "an own volume of a name in capitals": {"template": {"pod": {"volumes": [{"name": "OWN", "emptyDir": {}}]}}},
    "an own mount in the image": {
        "template": {"kafkaContainer": {"volumeMounts": [{"name": "own", "mountPath": "/opt/own"}]}}
    },
    "an own mount": {"template": {"kafkaContainer": {"volumeMounts": [{"name": "own", "mountPath": "/mnt/own"}]}}},
    "listeners left out": {"listeners": None},
}
_LABELS: Final = ("strimzi.io/own", "strimzi.io/kind", "strimzi.io/cluster-own", "example.com/strimzi.io")
_CONTROL: Final[dict[str, Resource]] = {
    "Cruise Control's topic with four copies": {"cruise.control.metrics.topic.replication.factor": 4},
    "Cruise Control's topic with copies in words": {"cruise.control.metrics.topic.replication.factor": "all"},
    "Cruise Control's topic with two in sync of one": {
        "cruise.control.metrics.topic.replication.factor": 1,
        "cruise.control.metrics.topic.min.insync.replicas": 2,
    },
    "Cruise Control's topic with partitions in words": {"cruise.control.metrics.topic.num.partitions": "many"},
}
_LOGIN: Final[dict[str, Resource]] = {
    "a certificate that is not named": {"type": "tls"},
    "a password that is not named": {"type": "scram-sha-512", "username": "a"},
    "a name left out": {"type": "scram-sha-256", "passwordSecret": {"secretName": "a", "password": "b"}},
    "neither name nor password": {"type": "plain"},
    "nothing of one's own": {"type": "custom"},
}


def mistaken() -> Iterator[tuple[str, list[Resource]]]:
    """Names and resources."""
    for made in (_of_listeners, _of_kafka, _of_pods, _of_clients, _of_labels):
        for name, resources in made():
            yield f"refused: {name}", resources


def _of_listeners() -> Iterator[tuple[str, list[Resource]]]:
    for name, changed in _LISTENERS.items():
        yield name, cluster([inside(), inside(name="outside", port=9094, **changed)])
    for kind in _TYPES:
        for name, configuration in _configured():
            needed = _NEEDED.get(kind, {})
            listener = {"type": kind, "configuration": needed | _merged(needed, configuration)}
            yield f"{name} of {kind}", cluster([inside(), inside(name="outside", port=9094, **listener)])


def _of_kafka() -> Iterator[tuple[str, list[Resource]]]:
    for name, kafka in _KAFKA.items():
        yield name, cluster([inside()], **kafka)
    for name, config in _CONTROL.items():
        made = cluster([inside()], config=config)
        made[0]["spec"]["cruiseControl"] = {}
        yield name, made


def _of_pods() -> Iterator[tuple[str, list[Resource]]]:
    for name, storage in _STORAGE.items():
        yield name, _pooled(storage=storage)
    for name, room in _CONTAINER.items():
        yield name, _pooled(resources=room)
        yield f"workers: {name}", _workers(resources=room)
    for name, metrics in _METRICS.items():
        yield name, cluster([inside()], metricsConfig=metrics)
        yield f"workers: {name}", _workers(metricsConfig=metrics)


def _of_clients() -> Iterator[tuple[str, list[Resource]]]:
    for name, login in _LOGIN.items():
        yield f"workers: {name}", _workers(authentication=login)
        yield f"mirrors: {name}", _mirrors({}, login)
        yield f"mirrors to: {name}", _mirrors(login, {})
        yield f"bridge: {name}", _bridge(authentication=login)
    yield "bridge: no HTTP", _bridge(http=None)


def _of_labels() -> Iterator[tuple[str, list[Resource]]]:
    for label in _LABELS:
        for place, made in enumerate((cluster([inside()]), cluster([inside()]), _workers(), _bridge())):
            marked = made[1 if place == 1 else 0]
            marked["metadata"].setdefault("labels", {})[label] = "x"
            yield f"the label {label} of {marked['kind']}", made
        for metadata in ({"labels": {label: "x"}}, {"annotations": {label: "x"}}):
            template, word = {"pod": {"metadata": metadata}}, next(iter(metadata))
            yield f"{label} in {word} of pods", cluster([inside()], template=template)
            yield f"{label} in {word} of a pool's pods", _pooled(template=template)
            yield f"{label} in {word} of workers", _workers(template=template)
            yield f"{label} in {word} of bridges", _bridge(template=template)


def _configured() -> Iterator[tuple[str, Resource]]:
    """Each field alone."""
    for name, value in _FIELDS.items():
        if name in ("bootstrap", "brokers"):
            for inner, of in value.items():
                part = {inner: of}
                yield f"{name}.{inner}", {name: part if name == "bootstrap" else [{"broker": 0} | part]}
        else:
            yield name, {name: value}


def _merged(needed: Resource, configuration: Resource) -> Resource:
    """A configuration, in which what is needed stays."""
    found = dict(configuration)
    if "bootstrap" in needed and "bootstrap" in found:
        found["bootstrap"] = needed["bootstrap"] | found["bootstrap"]
    if "brokers" in needed and "brokers" in found:
        first, *others = needed["brokers"]
        found["brokers"] = [first | found["brokers"][0], *others]
    return found


def _pooled(**changed: Any) -> list[Resource]:
    made = cluster([inside()])
    made[1]["spec"] |= changed
    return made


def _workers(**changed: Any) -> list[Resource]:
    topics = {f"{of}StorageTopic": of for of in ("config", "status", "offset")}
    spec = {"replicas": 2, "bootstrapServers": "b:9093", "groupId": "workers", "tls": {}} | topics
    return [resource("KafkaConnect", "workers", spec | changed)]


def _mirrors(target: Resource, source: Resource) -> list[Resource]:
    def end(alias: str, login: Resource) -> Resource:
        reached = {"alias": alias, "bootstrapServers": f"{alias}:9093", "tls": {}}
        return reached | ({"authentication": login} if login else {})

    group = {"groupId": "flow"} | {f"{of}StorageTopic": of for of in ("config", "status", "offset")}
    mirrors = [{"source": end("there", source), "sourceConnector": {}}]
    spec = {"replicas": 2, "target": end("here", target) | group, "mirrors": mirrors}
    return [resource("KafkaMirrorMaker2", "flow", spec)]


def _bridge(**changed: Any) -> list[Resource]:
    spec = {"replicas": 2, "bootstrapServers": "b:9093", "tls": {}, "http": {"port": 8080}}
    return [resource("KafkaBridge", "http", spec | changed)]
