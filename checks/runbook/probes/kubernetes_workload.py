"""What keeps pods running: StatefulSets, Deployments and Strimzi's pod sets."""

from typing import TYPE_CHECKING, Annotated, Any

from runbook.answers.kubernetes import reads
from runbook.answers.kubernetes.objects import Absent, labels, many, name, number, part, text
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes


class KubernetesWorkload(Row):
    """A StatefulSet, Deployment or what an operator has in their place."""

    kind: Annotated[str, Cell("StatefulSet, Deployment or StrimziPodSet.", key=True)]
    workload: Annotated[str, Cell("Name.", key=True)]
    roles: Annotated[list[str], Cell("What its pods are to Kafka: broker, controller, zookeeper; or nothing.")]
    replicas: Annotated[int, Cell("Pods it is asked to keep.", unit="pods")]
    ready: Annotated[int, Cell("Pods that are ready.", unit="pods")]
    updated: Annotated[int, Cell("Pods of the newest revision.", unit="pods")]
    observed: Annotated[bool, Cell("Whether its controller has seen the newest specification.")]
    strategy: Annotated[str, Cell("RollingUpdate, OnDelete or Recreate; `operator` where an operator rolls.")]
    partition: Annotated[
        int, Cell("Number of the first pod that an update of a StatefulSet reaches: 0 for all, -1 for other kinds.")
    ]
    max_unavailable: Annotated[str, Cell("Most pods down during an update; empty where it is not said.")]
    max_surge: Annotated[str, Cell("Most pods beyond the wanted during an update; empty where there is no such thing.")]
    min_ready_seconds: Annotated[int, Cell("How long a pod must be ready to count as available.", unit="s")]
    pod_management: Annotated[str, Cell("OrderedReady or Parallel; empty for others than StatefulSets.")]
    service: Annotated[str, Cell("The Service that names a StatefulSet's pods; empty for others.")]
    claim_templates: Annotated[int, Cell("Claims it makes for each pod.", unit="claims")]
    claims_when_deleted: Annotated[str, Cell("Retain or Delete: what becomes of claims when the set is deleted.")]
    claims_when_scaled: Annotated[str, Cell("Retain or Delete: what becomes of claims when it is scaled down.")]


PROBE = Probe(
    connections=("kubernetes",),
    help="One row per StatefulSet, Deployment and StrimziPodSet of the namespace.",
    row=KubernetesWorkload,
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


def observe(kubernetes: "Kubernetes") -> Observed:
    """Observe the workloads of the namespace."""
    rows = [_stateful_set(kubernetes, stateful_set) for stateful_set in kubernetes.listed(reads.STATEFUL_SETS)]
    rows += [_deployment(kubernetes, deployment) for deployment in kubernetes.listed(reads.DEPLOYMENTS)]
    try:
        _, sets = kubernetes.custom("core.strimzi.io", "strimzipodsets")
    except Absent:
        sets = []
    return Observed(rows=[*rows, *(_pod_set(kubernetes, stateful_set) for stateful_set in sets)])


def _is_observed(thing: dict[str, Any]) -> bool:
    return number(thing, "status", "observedGeneration", default=-1) == number(thing, "metadata", "generation")


def _template(thing: dict[str, Any]) -> dict[str, str]:
    return labels(thing, "spec", "template", "metadata", "labels")


def _either(thing: dict[str, Any], key: str) -> str:
    """Read what may be a number or a percentage."""
    value = thing.get(key)
    return "" if value is None else str(value)


def _stateful_set(kubernetes: "Kubernetes", thing: dict[str, Any]) -> KubernetesWorkload:
    rolling = part(thing, "spec", "updateStrategy", "rollingUpdate")
    claims = part(thing, "spec", "persistentVolumeClaimRetentionPolicy")
    return KubernetesWorkload(
        kind="StatefulSet",
        workload=name(thing),
        roles=kubernetes.roles.of(_template(thing)),
        replicas=number(thing, "spec", "replicas", default=1),
        ready=number(thing, "status", "readyReplicas"),
        updated=number(thing, "status", "updatedReplicas"),
        observed=_is_observed(thing),
        strategy=text(thing, "spec", "updateStrategy", "type"),
        partition=number(rolling, "partition"),
        max_unavailable=_either(rolling, "maxUnavailable"),
        max_surge="",
        min_ready_seconds=number(thing, "spec", "minReadySeconds"),
        pod_management=text(thing, "spec", "podManagementPolicy"),
        service=text(thing, "spec", "serviceName"),
        claim_templates=len(many(thing, "spec", "volumeClaimTemplates")),
        claims_when_deleted=text(claims, "whenDeleted") or "Retain",
        claims_when_scaled=text(claims, "whenScaled") or "Retain",
    )


def _deployment(kubernetes: "Kubernetes", thing: dict[str, Any]) -> KubernetesWorkload:
    rolling = part(thing, "spec", "strategy", "rollingUpdate")
    return KubernetesWorkload(
        kind="Deployment",
        workload=name(thing),
        roles=kubernetes.roles.of(_template(thing)),
        replicas=number(thing, "spec", "replicas", default=1),
        ready=number(thing, "status", "readyReplicas"),
        updated=number(thing, "status", "updatedReplicas"),
        observed=_is_observed(thing),
        strategy=text(thing, "spec", "strategy", "type"),
        partition=-1,
        max_unavailable=_either(rolling, "maxUnavailable"),
        max_surge=_either(rolling, "maxSurge"),
        min_ready_seconds=number(thing, "spec", "minReadySeconds"),
        pod_management="",
        service="",
        claim_templates=0,
        claims_when_deleted="",
        claims_when_scaled="",
    )


def _pod_set(kubernetes: "Kubernetes", thing: dict[str, Any]) -> KubernetesWorkload:
    """Read a StrimziPodSet: it lists its pods whole, and the operator rolls them one by one."""
    pods = many(thing, "spec", "pods")
    return KubernetesWorkload(
        kind="StrimziPodSet",
        workload=name(thing),
        roles=sorted({role for pod in pods for role in kubernetes.roles.of(labels(pod))}),
        replicas=len(pods),
        ready=number(thing, "status", "readyPods"),
        updated=number(thing, "status", "currentPods"),
        observed=number(thing, "status", "observedGeneration", default=-1) == number(thing, "metadata", "generation"),
        strategy="operator",
        partition=-1,
        max_unavailable="",
        max_surge="",
        min_ready_seconds=0,
        pod_management="",
        service="",
        claim_templates=0,
        claims_when_deleted="",
        claims_when_scaled="",
    )
