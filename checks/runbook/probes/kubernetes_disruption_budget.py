"""PodDisruptionBudgets: what they select, what they let go, and what the controller says of them now."""

from typing import Any

from runbook.connections.kubernetes import Kubernetes, reads
from runbook.connections.kubernetes.labels import matches, object_selector
from runbook.connections.kubernetes.objects import labels, name, number, part, text
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kubernetes",),
    help="One row per PodDisruptionBudget of the namespace.",
    columns=(
        Column("budget", "string", "Name.", key=True),
        Column("min_available", "string", "Pods, or percent of them, that must stay; empty if not said."),
        Column("max_unavailable", "string", "Pods, or percent of them, that may go; empty if not said."),
        Column("pods", "list[string]", "Pods that its selector matches.", entity="pod"),
        Column("roles", "list[string]", "What these are to Kafka: broker, controller, zookeeper; or nothing."),
        Column("foreign", "list[string]", "Those of them that are nothing to Kafka.", entity="pod"),
        Column("expected", "int", "Pods that its controller counts in.", unit="pods"),
        Column("desired_healthy", "int", "Pods that must be healthy, as its controller works it out.", unit="pods"),
        Column("healthy", "int", "Pods that are healthy now.", unit="pods"),
        Column("allowed", "int", "Pods that may be evicted right now.", unit="pods"),
        Column("observed", "bool", "Whether the numbers are of the newest specification; else they mean nothing."),
        Column("unhealthy_policy", "string", "Whether unhealthy pods may be evicted: IfHealthyBudget or AlwaysAllow."),
    ),
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


def observe(kubernetes: Kubernetes) -> Observed:
    """Observe every budget of the namespace."""
    pods = {name(pod): labels(pod) for pod in kubernetes.listed(reads.PODS)}
    return Observed(rows=[_row(kubernetes, one, pods) for one in kubernetes.listed(reads.DISRUPTION_BUDGETS)])


def _row(kubernetes: Kubernetes, budget: dict[str, Any], pods: dict[str, dict[str, str]]) -> tuple[Any, ...]:
    spec = part(budget, "spec")
    selector = object_selector(spec.get("selector"))
    chosen = sorted(pod for pod, marks in pods.items() if selector is not None and matches(selector, marks))
    roles = {pod: kubernetes.roles.of(pods[pod]) for pod in chosen}
    seen = number(budget, "status", "observedGeneration", default=-1) == number(budget, "metadata", "generation")

    def counted(field: str) -> int | None:
        return number(budget, "status", field) if seen else None

    return (
        name(budget),
        _either(spec, "minAvailable"),
        _either(spec, "maxUnavailable"),
        chosen,
        sorted({role for known in roles.values() for role in known}),
        [pod for pod in chosen if not roles[pod]],
        counted("expectedPods"),
        counted("desiredHealthy"),
        counted("currentHealthy"),
        counted("disruptionsAllowed"),
        seen,
        text(spec, "unhealthyPodEvictionPolicy") or "IfHealthyBudget",
    )


def _either(spec: dict[str, Any], key: str) -> str:
    """Read what may be a number or a percentage."""
    value = spec.get(key)
    return "" if value is None else str(value)
