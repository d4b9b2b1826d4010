"""The resources that the owners of the platform of `strimzi_platform` declare, with what the operator says of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

Object = dict[str, Any]

CLUSTER: Final = "orders"
ZONES: Final = ("eu-1a", "eu-1b", "eu-1c")
BROKERS: Final = 12
NAMESPACE: Final = "kafka"
MADE: Final = "2026-10-05T08:00:00Z"
AUTHORITY, ENDING_AUTHORITY = (
    Path(__file__).with_name(f"strimzi_authority{which}.pem").read_text("utf-8") for which in ("", "_ending")
)
"""Certificates of authorities, made by OpenSSL, that hold until 2100 and until 6 December 2026."""


def pools() -> list[str]:
    return ["brokers", *(f"controllers-{zone}" for zone in ZONES)]


def declared(name: str, labels: Mapping[str, str] | None = None, **rest: Any) -> Object:
    metadata = {"name": name, "namespace": NAMESPACE, "generation": 1, "creationTimestamp": MADE}
    return {"metadata": {**metadata, "labels": dict(labels or {})}, **rest}


def listeners_with(certificate: str) -> list[Object]:
    """What the operator says of the listeners with TLS."""
    return [{"name": name, "certificates": [certificate]} for name in ("tls", "outside")]


def apart(pool: str) -> Object:
    """What the owner adds by a template: no two brokers on one node."""
    selector = {"matchLabels": {"strimzi.io/cluster": CLUSTER, "strimzi.io/pool-name": pool}}
    term = {"labelSelector": selector, "topologyKey": "kubernetes.io/hostname"}
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


_READY: Final = {"observedGeneration": 1, "conditions": [{"type": "Ready", "status": "True"}]}
KAFKA: Final = declared(
    CLUSTER,
    spec={
        "kafka": {
            "version": "4.2.0",
            "metadataVersion": "4.2-IV1",
            "rack": {"topologyKey": "topology.kubernetes.io/zone"},
            "listeners": [
                {"name": "tls", "port": 9093, "type": "internal", "tls": True, "authentication": {"type": "tls"}},
                {
                    "name": "outside",
                    "port": 9094,
                    "type": "loadbalancer",
                    "tls": True,
                    "authentication": {"type": "scram-sha-512"},
                },
            ],
            "authorization": {"type": "simple", "superUsers": ["CN=platform"]},
            "config": {
                "offsets.topic.replication.factor": 3,
                "transaction.state.log.replication.factor": 3,
                "transaction.state.log.min.isr": 2,
                "default.replication.factor": 3,
                "min.insync.replicas": 2,
                "auto.create.topics.enable": False,
            },
            "metricsConfig": {
                "type": "jmxPrometheusExporter",
                "valueFrom": {"configMapKeyRef": {"name": "metrics", "key": "rules"}},
            },
        },
        "entityOperator": {"topicOperator": {}, "userOperator": {}},
        "cruiseControl": {},
        "kafkaExporter": {},
    },
    status=_READY
    | {"kafkaVersion": "4.2.0", "kafkaMetadataVersion": "4.2-IV1", "operatorLastSuccessfulVersion": "1.0.0"}
    | {"listeners": listeners_with(AUTHORITY)},
)
_BELONGING: Final = {"strimzi.io/cluster": CLUSTER}


def pool(name: str) -> Object:
    """A pool as its owner writes it; the operator adds which nodes are of it."""
    broker = name == "brokers"
    room = {"cpu": "2", "memory": "16Gi"} if broker else {"cpu": "1", "memory": "4Gi"}
    volume = {"id": 0, "type": "persistent-claim", "size": "500Gi", "class": "gp3", "kraftMetadata": "shared"}
    nodes = [*range(BROKERS)] if broker else [BROKERS + pools().index(name) - 1]
    spec = {
        "replicas": len(nodes),
        "roles": ["broker" if broker else "controller"],
        "storage": {"type": "jbod", "volumes": [volume]},
        "resources": {"requests": room, "limits": room},
    }
    if broker:
        spec["template"] = {"pod": {"affinity": apart(name)}}
    status = {"observedGeneration": 1, "nodeIds": nodes, "replicas": len(nodes), "roles": spec["roles"]}
    return declared(name, _BELONGING, spec=spec, status=status)


TOPICS: Final = [
    declared("orders", _BELONGING, spec={"partitions": 12, "replicas": 3}, status=_READY),
    declared(
        "clicks",
        _BELONGING,
        spec={"topicName": "web.clicks", "partitions": 24, "config": {"retention.ms": 86400000}},
        status=_READY,
    ),
]


def _allowed(kind: str, name: str, *operations: str) -> Object:
    return {"resource": {"type": kind, "name": name, "patternType": "literal"}, "operations": list(operations)}


USERS: Final = [
    declared(
        "billing",
        _BELONGING,
        spec={
            "authentication": {"type": "tls"},
            "authorization": {
                "type": "simple",
                "acls": [_allowed("topic", "orders", "Read", "Describe"), _allowed("group", "billing", "Read")],
            },
        },
        status=_READY,
    ),
    declared(
        "monitoring",
        _BELONGING,
        spec={
            "authentication": {"type": "scram-sha-512"},
            "authorization": {"type": "simple", "acls": [_allowed("topic", "*", "Describe", "DescribeConfigs")]},
        },
        status=_READY,
    ),
]

_TRUSTED: Final = {"trustedCertificates": [{"secretName": "orders-cluster-ca-cert", "pattern": "*.crt"}]}
_LOGIN: Final = {"type": "tls", "certificateAndKey": {"secretName": "connect", "certificate": "c", "key": "k"}}
_HOME: Final = {"bootstrapServers": "orders-kafka-bootstrap:9093", "tls": _TRUSTED, "authentication": _LOGIN}


_ROOM: Final = {"cpu": "1", "memory": "2Gi"}
_MEASURED: Final = {
    "metricsConfig": {"type": "strimziMetricsReporter"},
    "resources": {"requests": _ROOM, "limits": _ROOM},
}


def _own_topics(group: str) -> Object:
    kinds = ("config", "offset", "status")
    return {"groupId": group} | {f"{kind}StorageTopic": f"{group}-{kind}" for kind in kinds}


def _spread(name: str) -> Object:
    """What the owner adds by a template: no two workers on one node."""
    rule = {"maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "DoNotSchedule"}
    own = {"labelSelector": {"matchLabels": {"strimzi.io/name": name}}}
    return {"template": {"pod": {"topologySpreadConstraints": [rule | own]}}}


CONNECT: Final = declared(
    "connect",
    spec={"replicas": 3, **_MEASURED, **_HOME, **_own_topics("connect"), **_spread("connect-connect")},
    status=_READY,
)
CONNECTOR: Final = declared(
    "warehouse",
    {"strimzi.io/cluster": "connect"},
    spec={
        "class": "io.example.WarehouseSink",
        "tasksMax": 4,
        "autoRestart": {"enabled": True},
        "config": {
            "topics": "orders",
            "errors.tolerance": "all",
            "errors.deadletterqueue.topic.name": "warehouse.dead-letters",
        },
    },
    status=_READY,
)
MIRRORS: Final = declared(
    "from-paris",
    spec={
        "replicas": 2,
        **_MEASURED,
        **_spread("from-paris-mirrormaker2"),
        "target": {"alias": "orders", **_HOME, **_own_topics("from-paris")},
        "mirrors": [
            {
                "source": {"alias": "paris", **_HOME, "bootstrapServers": "paris.example:9094"},
                "sourceConnector": {
                    "tasksMax": 4,
                    "autoRestart": {"enabled": True},
                    "config": {"replication.factor": 3},
                },
                "topicsPattern": "orders.*",
            }
        ],
    },
    status=_READY,
)
_CERTIFICATE: Final = {"secretName": "web", "certificate": "tls.crt", "key": "tls.key"}
BRIDGE: Final = declared(
    "web",
    spec={
        "replicas": 2,
        **_MEASURED,
        **_HOME,
        **_spread("web-bridge"),
        "http": {"port": 8443, "tls": {"certificateAndKey": _CERTIFICATE}},
    },
    status=_READY,
)
REBALANCE: Final = declared(
    "full",
    _BELONGING,
    spec={},
    status={"observedGeneration": 1, "conditions": [{"type": "ProposalReady", "status": "True"}]},
)
