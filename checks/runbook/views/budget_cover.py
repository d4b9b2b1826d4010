"""Which disruption budgets protect the pods of each role, and what they leave standing."""

from collections import Counter
from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._one_cluster import several_clusters


class BudgetCover(Row):
    """A role that has pods."""

    role: Annotated[str, Cell("broker, controller or zookeeper.", key=True)]
    pods: Annotated[int, Cell("Pods of the role.", unit="pods")]
    budgets: Annotated[list[str], Cell("Budgets that select any of them.")]
    bare: Annotated[list[str] | None, Cell("Pods that no budget protects.", entity="pod")]
    doubled: Annotated[list[str], Cell("Pods under two budgets: the eviction API refuses them all.", entity="pod")]
    foreign: Annotated[
        list[str], Cell("Pods that are nothing to Kafka and that these budgets count as well.", entity="pod")
    ]
    may_go: Annotated[int | None, Cell("Pods that may be evicted at the same time when all are well.", unit="pods")]
    allowed: Annotated[int | None, Cell("Pods that may be evicted right now.", unit="pods")]
    must_stay: Annotated[int | None, Cell("Pods that stay however many evictions are asked for.", unit="pods")]


VIEW = View(
    help="One row per role that has pods: broker, controller, zookeeper.",
    row=BudgetCover,
    inputs={
        "pod": Input("kubernetes_pod", columns=("pod", "roles", "cluster"), needs=("roles",)),
        "budget": Input(
            "kubernetes_disruption_budget",
            columns=("budget", "pods", "expected", "desired_healthy", "allowed", "foreign"),
            needs=("pods", "foreign"),
        ),
    },
    version=3,
)

_ROLES = ("broker", "controller", "zookeeper")


def compute(*, pod: Fact, budget: Fact) -> Observed:
    """Work it out from kubernetes_pod and kubernetes_disruption_budget.

    The counts are unknown where a budget's own numbers are. Pods that no budget protects may all go at once; those
    under two can't go at all. Pods of several clusters are not counted together: one of them has to be named.
    """
    if several := several_clusters(pod):
        return Observed(gaps=several)
    roles = dict(zip(pod.columns["pod"], pod.columns["roles"], strict=True))
    rows = []
    for role in _ROLES:
        ours = {name for name, known in roles.items() if role in (known or ())}
        if ours:
            rows.append(_row(role, ours, list(budget.rows()), complete=budget.complete))
    return Observed(rows=rows)


def _row(role: str, pods: set[str], budgets: list[dict[str, Any]], *, complete: bool) -> BudgetCover:
    over = [budget for budget in budgets if pods & set(budget["pods"])]
    counts = Counter(name for budget in over for name in budget["pods"])
    bare = sorted(pods - set(counts))
    doubled = sorted(name for name in pods if counts[name] > 1)
    single = [budget for budget in over if not set(budget["pods"]) & set(doubled)]
    may_go = _sum(len(bare), [_spare(pod["expected"], pod["desired_healthy"]) for pod in single], len(pods))
    # A budget that was not seen may protect what looks bare.
    return BudgetCover(
        role=role,
        pods=len(pods),
        budgets=[budget["budget"] for budget in over],
        bare=bare if complete else None,
        doubled=doubled,
        foreign=sorted({name for budget in over for name in budget["foreign"]}),
        may_go=may_go if complete else None,
        allowed=_sum(len(bare), [pod["allowed"] for pod in single], len(pods)) if complete else None,
        must_stay=len(pods) - may_go if complete and may_go is not None else None,
    )


def _spare(expected: int | None, desired: int | None) -> int | None:
    return None if expected is None or desired is None else max(0, expected - desired)


def _sum(start: int, parts: list[int | None], most: int) -> int | None:
    """Add up; unknown if any part is. A budget over other pods too may let go more than there are of the role."""
    # not made up: where a part is not known, the sum is None already
    return None if None in parts else min(most, start + sum(part or 0 for part in parts))
