"""Confluent for Kubernetes: a StatefulSet of brokers and one of KRaft controllers, as its operator makes them.

Labels, names of sets and claims, `oneReplicaPerNode` (true without a word), one disruption budget for each set and the
security context are those of Confluent's documentation of the operator (version 3). Where it says nothing, the
defaults of Kubernetes stand here.
"""

from typing import Any, Final

from runbook.evidence.bundle import Bundle
from support.platforms import _kafka, as_the_page_says, settings
from support.platforms._played import bundle_of
from support.platforms._sets import Nodes, apart, played, spread, zone

WHAT: Final = "Confluent for Kubernetes 3: six brokers and three KRaft controllers in three zones"
MADE_BY: Final = "after Confluent's documentation of its operator"
RUNBOOKS: Final = ("kubernetes",)
MENDED_BY: Final = {
    "containers-have-no-more-rights-than-needed": "podTemplate.containerSecurityContext",
    "brokers-have-time-to-stop": "podTemplate.terminationGracePeriodSeconds",
    "brokers-have-their-nodes-to-themselves": "taints of the nodes, and podTemplate.tolerations",
    "brokers-go-last": "podTemplate.priorityClassName",
    "brokers-must-keep-off-the-quorum": "podTemplate.affinity",
    "production-quorum-has-five-pods": "replicas of the KRaftController",
    "images-are-pinned": "image.application",
    "root-file-systems-are-read-only": "podTemplate.containerSecurityContext",
}
_TIMES: Final = {"initialDelaySeconds": 30, "timeoutSeconds": 10, "periodSeconds": 10}
_LIVENESS: Final = {"failureThreshold": 60}  # as the page asks its owner to set it


def _labels(kind: str) -> dict[str, str]:
    return {
        "app": kind,
        "clusterId": "kafka",
        "confluent-platform": "true",
        "platform.confluent.io/type": kind,
        "type": kind,
    }


def _pod(kind: str, cpu: str, memory: str) -> dict[str, Any]:
    room = {"cpu": cpu, "memory": memory}
    container = {
        "name": kind,
        "image": "docker.io/confluentinc/cp-server:8.1.0",
        "resources": {"requests": room, "limits": {"memory": memory}},
        "livenessProbe": {"tcpSocket": {"port": 7203}, **_TIMES, **_LIVENESS},
        "readinessProbe": {"tcpSocket": {"port": 9071}, **_TIMES, "failureThreshold": 6},
    }
    return {
        "serviceAccountName": "kafka",
        "terminationGracePeriodSeconds": 30,
        "securityContext": {"runAsNonRoot": True, "runAsUser": 1001, "fsGroup": 1001},
        "initContainers": [
            {"name": "config-init-container", "image": "docker.io/confluentinc/confluent-init-container:3.1.0"}
        ],
        "containers": [container],
        "affinity": apart(_labels(kind)),
        "topologySpreadConstraints": spread(_labels(kind)),
    }


def _nodes(kind: str, count: int, room: tuple[str, str], size: str) -> Nodes:
    return Nodes(
        named=kind,
        count=count,
        labels=_labels(kind),
        pod=_pod(kind, *room),
        claim=("data0", size),
        mount="/mnt/data/data0",
        service=kind,
        budget={"maxUnavailable": 1},
        update="OnDelete",  # the operator takes one after the other itself
    )


BROKERS: Final = _nodes("kafka", 6, ("2", "16Gi"), "500Gi")
CONTROLLERS: Final = _nodes("kraftcontroller", 3, ("1", "4Gi"), "50Gi")


def bundle() -> Bundle:
    """Its facts."""
    hosts = {number: f"{pod}.kafka.kafka.svc.cluster.local" for number, pod in enumerate(BROKERS.pods())}
    kafka = _kafka.facts(hosts, {number: zone(number) for number in hosts}, "/mnt/data/data0/logs", port=9071)
    said = settings("confluent-kubernetes", "kubernetes")
    labels = {name: said[name] for name in ("brokers", "controllers")}
    cluster = played([BROKERS, CONTROLLERS], ("kafka-bootstrap", BROKERS), **labels)
    return as_the_page_says(bundle_of("confluent", cluster, kafka), "confluent-kubernetes")
