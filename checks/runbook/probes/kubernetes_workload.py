"""What keeps pods running: StatefulSets, Deployments and Strimzi's pod sets."""

from typing import TYPE_CHECKING, Annotated, Any

from runbook.answers.kubernetes import reads
from runbook.answers.kubernetes.namespaced import Namespaced
from runbook.answers.kubernetes.objects import (
    DEFAULT,
    ZERO,
    Absent,
    int_or_string,
    is_observed,
    labels,
    many,
    number,
    part,
    text,
)
from runbook.formats.declared import Means, at, by
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, row_of

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes


class KubernetesWorkload(Namespaced):
    """A StatefulSet, Deployment or what an operator has in their place."""

    kind: Annotated[str, Cell("StatefulSet, Deployment or StrimziPodSet.", key=True)]
    workload: Annotated[str, Cell("Name.", key=True)] = at("metadata.name")
    roles: Annotated[list[str], Cell("What its pods are to Kafka: broker, controller, zookeeper; or nothing.")]
    replicas: Annotated[int, Cell("Pods it is asked to keep.", unit="pods")] = at(
        "spec.replicas", absent=Means(1, DEFAULT)
    )
    ready: Annotated[int, Cell("Pods that are ready.", unit="pods")] = at("status.readyReplicas", absent=ZERO)
    updated: Annotated[int, Cell("Pods of the newest revision.", unit="pods")] = at(
        "status.updatedReplicas", absent=ZERO
    )
    observed: Annotated[bool, Cell("Whether its controller has seen the newest specification.")] = by(is_observed)
    strategy: Annotated[str, Cell("RollingUpdate, OnDelete or Recreate; `operator` where an operator rolls.")] = at(
        "spec.updateStrategy.type"
    )
    partition: Annotated[
        int, Cell("Number of the first pod that an update of a StatefulSet reaches: 0 for all, -1 for other kinds.")
    ]
    max_unavailable: Annotated[str, Cell("Most pods down during an update; empty where it is not said.")] = by(
        int_or_string, "spec.updateStrategy.rollingUpdate.maxUnavailable"
    )
    max_surge: Annotated[
        str, Cell("Most pods beyond the wanted during an update; empty where there is no such thing.")
    ] = by(int_or_string, "spec.strategy.rollingUpdate.maxSurge")
    min_ready_seconds: Annotated[int, Cell("How long a pod must be ready to count as available.", unit="s")] = at(
        "spec.minReadySeconds", absent=ZERO
    )
    pod_management: Annotated[str, Cell("OrderedReady or Parallel; empty for others than StatefulSets.")] = at(
        "spec.podManagementPolicy"
    )
    service: Annotated[str, Cell("The Service that names a StatefulSet's pods; empty for others.")] = at(
        "spec.serviceName"
    )
    claim_templates: Annotated[int, Cell("Claims it makes for each pod.", unit="claims")] = by(
        lambda thing: len(many(thing, "spec", "volumeClaimTemplates"))
    )
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


def _template(thing: dict[str, Any]) -> dict[str, str]:
    return labels(thing, "spec", "template", "metadata", "labels")


def _stateful_set(kubernetes: "Kubernetes", thing: dict[str, Any]) -> KubernetesWorkload:
    claims = part(thing, "spec", "persistentVolumeClaimRetentionPolicy")
    return row_of(
        KubernetesWorkload,
        thing,
        kind="StatefulSet",
        roles=kubernetes.roles.of(_template(thing)),
        partition=number(thing, "spec", "updateStrategy", "rollingUpdate", "partition"),
        claims_when_deleted=text(claims, "whenDeleted") or "Retain",
        claims_when_scaled=text(claims, "whenScaled") or "Retain",
    )


def _deployment(kubernetes: "Kubernetes", thing: dict[str, Any]) -> KubernetesWorkload:
    return row_of(
        KubernetesWorkload,
        thing,
        kind="Deployment",
        roles=kubernetes.roles.of(_template(thing)),
        strategy=text(thing, "spec", "strategy", "type"),
        partition=-1,
        max_unavailable=int_or_string(part(thing, "spec", "strategy", "rollingUpdate").get("maxUnavailable")),
        claims_when_deleted="",
        claims_when_scaled="",
    )


def _pod_set(kubernetes: "Kubernetes", thing: dict[str, Any]) -> KubernetesWorkload:
    """Read a StrimziPodSet: it lists its pods whole, and the operator rolls them one by one."""
    pods = many(thing, "spec", "pods")
    return row_of(
        KubernetesWorkload,
        thing,
        kind="StrimziPodSet",
        roles=sorted({role for pod in pods for role in kubernetes.roles.of(labels(pod))}),
        replicas=len(pods),
        ready=number(thing, "status", "readyPods"),
        updated=number(thing, "status", "currentPods"),
        strategy="operator",
        partition=-1,
        claims_when_deleted="",
        claims_when_scaled="",
    )
