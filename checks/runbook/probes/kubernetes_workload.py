"""What keeps pods running: StatefulSets, Deployments and Strimzi's pod sets."""

from typing import Any

from runbook.connections.kubernetes import Kubernetes, reads
from runbook.connections.kubernetes.objects import labels, many, name, number, part, text
from runbook.connections.kubernetes.reader import Absent
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kubernetes",),
    help="One row per StatefulSet, Deployment and StrimziPodSet of the namespace.",
    columns=(
        Column("kind", "string", "StatefulSet, Deployment or StrimziPodSet.", key=True),
        Column("workload", "string", "Name.", key=True),
        Column("roles", "list[string]", "What its pods are to Kafka: broker, controller, zookeeper; or nothing."),
        Column("replicas", "int", "Pods it is asked to keep.", unit="pods"),
        Column("ready", "int", "Pods that are ready.", unit="pods"),
        Column("updated", "int", "Pods of the newest revision.", unit="pods"),
        Column("observed", "bool", "Whether its controller has seen the newest specification."),
        Column("strategy", "string", "RollingUpdate, OnDelete or Recreate; `operator` where an operator rolls."),
        Column("partition", "int", "Ordinal from which a StatefulSet's update reaches; 0 for all, -1 for others."),
        Column("max_unavailable", "string", "Most pods down during an update; empty where it is not said."),
        Column(
            "max_surge", "string", "Most pods beyond the wanted during an update; empty where there is no such thing."
        ),
        Column("min_ready_seconds", "int", "How long a pod must be ready to count as available.", unit="s"),
        Column("pod_management", "string", "OrderedReady or Parallel; empty for others than StatefulSets."),
        Column("service", "string", "The Service that names a StatefulSet's pods; empty for others."),
        Column("claim_templates", "int", "Claims it makes for each pod.", unit="claims"),
        Column("claims_when_deleted", "string", "Retain or Delete: what becomes of claims when the set is deleted."),
        Column("claims_when_scaled", "string", "Retain or Delete: what becomes of claims when it is scaled down."),
    ),
    requests=(
        "GET /version",
        "GET /apis/apps/v1/namespaces/{namespace}/statefulsets",
        "GET /apis/apps/v1/namespaces/{namespace}/deployments",
        "GET /apis/{group}",
        "GET /apis/{group}/{version}/namespaces/{namespace}/{resource}",
        "GET /api/v1/namespaces/{namespace}",
    ),
    rights=(
        "list statefulsets.apps and deployments.apps in the namespace",
        "list strimzipodsets.core.strimzi.io in the namespace, where Strimzi is installed",
        "get the namespace, to tell an empty one from one that is not there",
    ),
)


def observe(kubernetes: Kubernetes) -> Observed:
    """Observe the workloads of the namespace."""
    rows = [_stateful_set(kubernetes, one) for one in kubernetes.listed(reads.STATEFUL_SETS)]
    rows += [_deployment(kubernetes, one) for one in kubernetes.listed(reads.DEPLOYMENTS)]
    try:
        _, sets = kubernetes.custom("core.strimzi.io", "strimzipodsets")
    except Absent:
        sets = []
    return Observed(rows=[*rows, *(_pod_set(kubernetes, one) for one in sets)])


def _counts(thing: dict[str, Any]) -> tuple[int, int, int, bool]:
    return (
        number(thing, "spec", "replicas", default=1),
        number(thing, "status", "readyReplicas"),
        number(thing, "status", "updatedReplicas"),
        number(thing, "status", "observedGeneration", default=-1) == number(thing, "metadata", "generation"),
    )


def _template(thing: dict[str, Any]) -> dict[str, str]:
    return labels(thing, "spec", "template", "metadata", "labels")


def _either(thing: dict[str, Any], key: str) -> str:
    """Read what may be a number or a percentage."""
    value = thing.get(key)
    return "" if value is None else str(value)


def _stateful_set(kubernetes: Kubernetes, thing: dict[str, Any]) -> tuple[Any, ...]:
    rolling = part(thing, "spec", "updateStrategy", "rollingUpdate")
    claims = part(thing, "spec", "persistentVolumeClaimRetentionPolicy")
    return (
        "StatefulSet",
        name(thing),
        kubernetes.roles.of(_template(thing)),
        *_counts(thing),
        text(thing, "spec", "updateStrategy", "type"),
        number(rolling, "partition"),
        _either(rolling, "maxUnavailable"),
        "",
        number(thing, "spec", "minReadySeconds"),
        text(thing, "spec", "podManagementPolicy"),
        text(thing, "spec", "serviceName"),
        len(many(thing, "spec", "volumeClaimTemplates")),
        text(claims, "whenDeleted") or "Retain",
        text(claims, "whenScaled") or "Retain",
    )


def _deployment(kubernetes: Kubernetes, thing: dict[str, Any]) -> tuple[Any, ...]:
    rolling = part(thing, "spec", "strategy", "rollingUpdate")
    return (
        "Deployment",
        name(thing),
        kubernetes.roles.of(_template(thing)),
        *_counts(thing),
        text(thing, "spec", "strategy", "type"),
        -1,
        _either(rolling, "maxUnavailable"),
        _either(rolling, "maxSurge"),
        number(thing, "spec", "minReadySeconds"),
        "",
        "",
        0,
        "",
        "",
    )


def _pod_set(kubernetes: Kubernetes, thing: dict[str, Any]) -> tuple[Any, ...]:
    """Read a StrimziPodSet: it lists its pods whole, and the operator rolls them one by one."""
    pods = many(thing, "spec", "pods")
    return (
        "StrimziPodSet",
        name(thing),
        sorted({role for pod in pods for role in kubernetes.roles.of(labels(pod))}),
        len(pods),
        number(thing, "status", "readyPods"),
        number(thing, "status", "currentPods"),
        number(thing, "status", "observedGeneration", default=-1) == number(thing, "metadata", "generation"),
        "operator",
        -1,
        "",
        "",
        0,
        "",
        "",
        0,
        "",
        "",
    )
