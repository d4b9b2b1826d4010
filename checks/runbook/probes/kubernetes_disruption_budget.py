"""PodDisruptionBudgets: what they select, what they let go, and what the controller says of them now."""

from typing import TYPE_CHECKING, Annotated, Any

from runbook.answers.kubernetes import reads
from runbook.answers.kubernetes.labels import matches, object_selector
from runbook.answers.kubernetes.namespaced import Namespaced
from runbook.answers.kubernetes.objects import DEFAULT, int_or_string, is_observed, labels, name, number, part
from runbook.formats.declared import Means, at, by
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, row_of


def _counted(field: str) -> int | None:
    """The cell of a number of the status; of an older specification it means nothing."""
    return by(lambda budget: number(budget, "status", field) if is_observed(budget) else None)


if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes


class KubernetesDisruptionBudget(Namespaced):
    """A disruption budget."""

    budget: Annotated[str, Cell("Name.", key=True)] = at("metadata.name")
    min_available: Annotated[str, Cell("Pods, or percent of them, that must stay; empty if not said.")] = by(
        int_or_string, "spec.minAvailable"
    )
    max_unavailable: Annotated[str, Cell("Pods, or percent of them, that may go; empty if not said.")] = by(
        int_or_string, "spec.maxUnavailable"
    )
    pods: Annotated[list[str], Cell("Pods that its selector matches.", entity="pod")]
    roles: Annotated[list[str], Cell("What these are to Kafka: broker, controller, zookeeper; or nothing.")]
    foreign: Annotated[list[str], Cell("Those of them that are nothing to Kafka.", entity="pod")]
    expected: Annotated[int | None, Cell("Pods that its controller counts in.", unit="pods")] = _counted("expectedPods")
    desired_healthy: Annotated[
        int | None, Cell("Pods that must be healthy, as its controller works it out.", unit="pods")
    ] = _counted("desiredHealthy")
    healthy: Annotated[int | None, Cell("Pods that are healthy now.", unit="pods")] = _counted("currentHealthy")
    allowed: Annotated[int | None, Cell("Pods that may be evicted right now.", unit="pods")] = _counted(
        "disruptionsAllowed"
    )
    observed: Annotated[bool, Cell("Whether the numbers are of the newest specification; else they mean nothing.")] = (
        by(is_observed)
    )
    unhealthy_policy: Annotated[str, Cell("Whether unhealthy pods may be evicted: IfHealthyBudget or AlwaysAllow.")] = (
        at("spec.unhealthyPodEvictionPolicy", absent=Means("IfHealthyBudget", DEFAULT))
    )


PROBE = Probe(
    connections=("kubernetes",),
    help="One row per PodDisruptionBudget of the namespace.",
    row=KubernetesDisruptionBudget,
    requests=(
        "GET /version",
        "GET /apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets",
        "GET /api/v1/namespaces/{namespace}/pods",
        "GET /api/v1/namespaces/{namespace}",
    ),
    rights=(
        "list poddisruptionbudgets.policy and pods in the namespace",
        "get the namespace, to tell an empty one from one that is not there",
    ),
)


def observe(kubernetes: "Kubernetes") -> Observed:
    """Observe every budget of the namespace."""
    pods = {name(pod): labels(pod) for pod in kubernetes.listed(reads.PODS)}
    return Observed(rows=[_row(kubernetes, budget, pods) for budget in kubernetes.listed(reads.DISRUPTION_BUDGETS)])


def _row(
    kubernetes: "Kubernetes", budget: dict[str, Any], pods: dict[str, dict[str, str]]
) -> KubernetesDisruptionBudget:
    selector = object_selector(part(budget, "spec").get("selector"))
    chosen = sorted(pod for pod, marks in pods.items() if selector is not None and matches(selector, marks))
    roles = {pod: kubernetes.roles.of(pods[pod]) for pod in chosen}
    return row_of(
        KubernetesDisruptionBudget,
        budget,
        pods=chosen,
        roles=sorted({role for known in roles.values() for role in known}),
        foreign=[pod for pod in chosen if not roles[pod]],
    )
