"""Bitnami's chart of Kafka with controllers and brokers in two sets, whose values ask for what production needs.

Labels, names, the two offsets of node ids (`controller.minId` 0, `broker.minId` 100), security contexts, probes and the
disruption budgets are those of the chart's own values and templates (version 32); resources, size, and the rules that
keep brokers apart are set by whoever installs it, as the chart's page asks.
"""

from typing import Any, Final

from runbook.evidence.bundle import Bundle
from support.platforms import _kafka, as_the_page_says, settings
from support.platforms._played import bundle_of
from support.platforms._sets import Nodes, apart, played, spread, zone

WHAT: Final = "Bitnami's chart 32: three brokers and three controllers in two sets, in three zones"
MADE_BY: Final = "after the chart's values and templates"
RUNBOOKS: Final = ("kubernetes",)
MENDED_BY: Final = {
    "new-pods-prove-themselves": "broker.minReadySeconds and controller.minReadySeconds, or updateStrategy.type",
    "brokers-have-time-to-stop": "broker.terminationGracePeriodSeconds",
    "brokers-have-their-nodes-to-themselves": "taints of the nodes, and broker.tolerations",
    "brokers-go-last": "broker.priorityClassName",
    "brokers-must-keep-off-the-quorum": "broker.affinity",
    "production-quorum-has-five-pods": "controller.replicaCount",
    "images-are-pinned": "image.digest",
}
OFFSET: Final = 100
_COMMON: Final = {
    "app.kubernetes.io/name": "kafka",
    "app.kubernetes.io/instance": "orders",
    "app.kubernetes.io/part-of": "kafka",
}
_OFTEN: Final = {"initialDelaySeconds": 10, "periodSeconds": 10, "timeoutSeconds": 5}


def _labels(component: str) -> dict[str, str]:
    return _COMMON | {"app.kubernetes.io/component": component}


def _pod(component: str, port: int, cpu: str, memory: str) -> dict[str, Any]:
    room = {"cpu": cpu, "memory": memory}
    container = {
        "name": "kafka",
        "image": "docker.io/bitnami/kafka:4.0.0-debian-12-r10",
        "env": [{"name": "KAFKA_HEAP_OPTS", "value": "-XX:InitialRAMPercentage=50 -XX:MaxRAMPercentage=50"}],
        "resources": {"requests": room, "limits": room},
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": 1001,
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "livenessProbe": {"exec": {"command": ["pgrep", "-f", "kafka"]}, **_OFTEN, "failureThreshold": 3},
        "readinessProbe": {"tcpSocket": {"port": port}, **_OFTEN, "failureThreshold": 6},
        "volumeMounts": [{"name": "tmp", "mountPath": "/tmp"}],
    }
    return {
        "serviceAccountName": "orders-kafka",
        "automountServiceAccountToken": False,
        "terminationGracePeriodSeconds": 30,
        "securityContext": {"fsGroup": 1001, "seccompProfile": {"type": "RuntimeDefault"}},
        "containers": [container],
        "affinity": apart(_labels(component)),
        "topologySpreadConstraints": spread(_labels(component)),
        "volumes": [{"name": "tmp", "emptyDir": {}}],
    }


def _nodes(kind: str, component: str, port: int, room: tuple[str, str]) -> Nodes:
    return Nodes(
        named=f"orders-kafka-{kind}",
        count=3,
        labels=_labels(component),
        pod=_pod(component, port, *room),
        claim=("data", "500Gi"),
        mount="/bitnami/kafka",
        service=f"orders-kafka-{kind}-headless",
        budget={"maxUnavailable": 1},
    )


BROKERS: Final = _nodes("broker", "broker", 9092, ("2", "8Gi"))
CONTROLLERS: Final = _nodes("controller", "controller-eligible", 9093, ("1", "4Gi"))


def bundle() -> Bundle:
    """Its facts."""
    hosts = {
        OFFSET + number: f"{pod}.{BROKERS.service}.kafka.svc.cluster.local" for number, pod in enumerate(BROKERS.pods())
    }
    kafka = _kafka.facts(hosts, {host: zone(host - OFFSET) for host in hosts}, "/bitnami/kafka/data", port=9092)
    said = settings("bitnami", "kubernetes")
    labels = {name: said[name] for name in ("brokers", "controllers", "broker_offset")}
    cluster = played([BROKERS, CONTROLLERS], ("orders-kafka", BROKERS), **labels)
    return as_the_page_says(bundle_of("bitnami", cluster, kafka), "bitnami")
