"""Which disruption budgets protect the pods of each role, and what they leave standing."""

from collections import Counter
from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

VIEW = View(
    help="One row per role that has pods: broker, controller, zookeeper.",
    columns=(
        Column("role", "string", "broker, controller or zookeeper.", key=True),
        Column("pods", "int", "Pods of the role.", unit="pods"),
        Column("budgets", "list[string]", "Budgets that select any of them."),
        Column("bare", "list[string]", "Pods that no budget protects.", entity="pod"),
        Column("doubled", "list[string]", "Pods under two budgets: the eviction API refuses them all.", entity="pod"),
        Column(
            "foreign",
            "list[string]",
            "Pods that are nothing to Kafka and that these budgets count as well.",
            entity="pod",
        ),
        Column("may_go", "int", "Pods that may be evicted at the same time when all are well.", unit="pods"),
        Column("allowed", "int", "Pods that may be evicted right now.", unit="pods"),
        Column("must_stay", "int", "Pods that stay however many evictions are asked for.", unit="pods"),
    ),
    of=(("pod", "roles"), ("budget", "pods", "expected", "desired_healthy", "allowed", "foreign")),
    needs=(("roles",), ("pods", "foreign")),
    version=2,
)

_ROLES = ("broker", "controller", "zookeeper")


def compute(pod: Fact, budget: Fact, /) -> Observed:
    """Work it out from kubernetes_pod and kubernetes_disruption_budget.

    The counts are unknown where a budget's own numbers are. Pods that no budget protects may all go at once; those
    under two can't go at all.
    """
    roles = dict(zip(pod.columns["pod"], pod.columns["roles"], strict=True))
    names = ("budget", "pods", "expected", "desired_healthy", "allowed", "foreign")
    budgets = list(zip(*(budget.columns[name] for name in names), strict=True))
    rows = []
    for role in _ROLES:
        ours = {name for name, known in roles.items() if role in (known or ())}
        if ours:
            row = _row(role, ours, budgets)
            # A budget that was not seen may protect what looks bare.
            rows.append(row if budget.complete else (*row[:3], None, *row[4:6], None, None, None))
    return Observed(rows=rows)


def _row(role: str, pods: set[str], budgets: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    over = [one for one in budgets if pods & set(one[1])]
    counts = Counter(name for one in over for name in one[1])
    bare = sorted(pods - set(counts))
    doubled = sorted(name for name in pods if counts[name] > 1)
    single = [one for one in over if not set(one[1]) & set(doubled)]
    may_go = _sum(len(bare), [None if None in one[2:4] else max(0, one[2] - one[3]) for one in single], len(pods))
    allowed = _sum(len(bare), [one[4] for one in single], len(pods))
    return (
        role,
        len(pods),
        [one[0] for one in over],
        bare,
        doubled,
        sorted({name for one in over for name in one[5]}),
        may_go,
        allowed,
        None if may_go is None else len(pods) - may_go,
    )


def _sum(start: int, parts: list[int | None], most: int) -> int | None:
    """Add up; unknown if any part is. A budget over other pods too may let go more than there are of the role."""
    return None if None in parts else min(most, start + sum(part or 0 for part in parts))
