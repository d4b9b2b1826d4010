from itertools import combinations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from runbook.model.fact import Fact, Gap, Observed, tabulate
from runbook.views.voluntary_disruption import VIEW, compute

Budget = tuple[str, list[str], int | None]


def budgets(*rows: Budget) -> Fact:
    return Fact(
        "kubernetes_disruption_budget", dict(zip(("budget", "pods", "allowed"), _columns(rows, 3), strict=True))
    )


def pods(brokers: dict[str, int | None]) -> Fact:
    columns = {"pod": list(brokers), "broker": list(brokers.values()), "roles": [["broker"] for _ in brokers]}
    return Fact("kubernetes_pod", columns)


def partitions(*rows: tuple[Any, ...]) -> Fact:
    names = ("topic", "replicas", "isr", "elr", "needs", "unclean_leader_election")
    return Fact("kafka_partition", dict(zip(names, _columns(rows, 6), strict=True)))


def _columns(rows: Any, count: int) -> list[list[Any]]:
    return [[row[i] for row in rows] for i in range(count)]


THREE = {"kafka-1": 1, "kafka-2": 2, "kafka-3": 3}
ORDERS = ("orders", [1, 2, 3], [1, 2, 3], [], 2, False)


def judged(budget: Fact, pod: Fact, partition: Fact, **how: Any) -> tuple[dict[str, dict[str, Any]], Observed]:
    observed = compute(budget=budget, pod=pod, partition=partition, **how)
    return {row["budget"]: row for row in tabulate("x", VIEW.columns, observed).rows()}, observed


def test_one_of_three_may_go_without_harm():
    rows, observed = judged(budgets(("kafka", [*THREE], 1)), pods(THREE), partitions(ORDERS))
    row = rows["kafka"]
    assert (row["brokers"], row["refusing_writes"], row["offline"], row["at_risk"]) == ([1, 2, 3], 0, 0, 0)
    assert observed.gaps == []


def test_a_budget_without_teeth_lets_everything_go():
    rows, _ = judged(budgets(("kafka", [*THREE], 3)), pods(THREE), partitions(ORDERS, ("one", [1], [1], [], 1, True)))
    row = rows["kafka"]
    assert (row["refusing_writes"], row["offline"], row["at_risk"]) == (2, 2, 2)
    assert row["worst_topics"] == ["one", "orders"]


def test_brokers_under_no_budget_may_all_go():
    rows, _ = judged(budgets(("connect", ["connect-0"], 1)), pods(THREE), partitions(ORDERS))
    assert list(rows) == ["no budget"]
    assert rows["no budget"]["allowed"] == 3
    assert rows["no budget"]["offline"] == 1


def test_pods_under_two_budgets_can_not_be_evicted():
    rows, _ = judged(budgets(("a", [*THREE], 1), ("b", [*THREE], 1)), pods(THREE), partitions(ORDERS))
    assert rows == {}


def test_a_failure_on_top_is_counted():
    rows, _ = judged(budgets(("kafka", [*THREE], 1)), pods(THREE), partitions(ORDERS), unplanned=1)
    row = rows["kafka"]
    assert (row["refusing_writes"], row["offline"], row["at_risk"]) == (1, 0, 0)


def test_partitions_that_refuse_already_are_told_apart():
    behind = ("late", [1, 2, 3], [1], [], 2, False)
    rows, _ = judged(budgets(("kafka", [*THREE], 0)), pods(THREE), partitions(ORDERS, behind))
    assert (rows["kafka"]["refusing_writes"], rows["kafka"]["already"]) == (1, 1)


def test_an_eligible_replica_keeps_acknowledged_data():
    row = judged(
        budgets(("kafka", ["kafka-1"], 1)), pods({"kafka-1": 1}), partitions(("x", [1, 2], [1], [2], 1, False))
    )[0]["kafka"]
    assert (row["offline"], row["at_risk"]) == (0, 0)


def test_what_is_not_known_is_a_gap():
    facts = (
        budgets(("kafka", ["kafka-1"], None)),
        pods({"kafka-1": 1, "kafka-x": None}),
        partitions(("orders", [1, 9], [1], [], None, False)),
    )
    rows, observed = judged(*facts)
    assert rows == {}
    reasons = " ".join(gap.reason for gap in observed.gaps)
    for words in ("kafka-x", "broker 9", "budget kafka", "1 partitions of orders"):
        assert words in reasons


@given(
    st.integers(1, 5).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.lists(
                st.tuples(
                    st.sets(st.integers(1, n), min_size=1), st.sets(st.integers(1, n)), st.integers(1, 3), st.booleans()
                ),
                max_size=6,
            ),
            st.sets(st.integers(1, n), min_size=1),
            st.integers(0, n),
            st.integers(0, 1),
        )
    )
)
def test_each_partition_fares_as_under_its_worst_choice(case: Any):
    count, described, evictable, allowed, unplanned = case
    rows = []
    for i, (replicas, wanted, needs, unclean) in enumerate(described):
        isr = sorted(replicas & wanted) or [min(replicas)]
        rows.append((f"t{i}", sorted(replicas), isr, [], needs, unclean))
    names = {f"p-{n}": n for n in range(1, count + 1)}
    budget = ("kafka", [f"p-{n}" for n in sorted(evictable)], min(allowed, len(evictable)))
    other = ("rest", [f"p-{n}" for n in names.values() if n not in evictable], 0)
    found, _ = judged(budgets(budget, other), pods(names), partitions(*rows), unplanned=unplanned)
    expected = [0, 0, 0]
    for _, replicas_, isr, _, needs, unclean in rows:
        worst = [False, False, False]
        for chosen in combinations(sorted(evictable), budget[2]):
            for failed in combinations(range(1, count + 1), min(unplanned, count)):
                gone = set(chosen) | set(failed)
                left = set(isr) - gone
                at_risk = not left
                offline = at_risk and not (unclean and set(replicas_) - gone)
                harm = (offline or max(len(left), 1) < needs, offline, at_risk)
                worst = [a or b for a, b in zip(worst, harm, strict=True)]
        expected = [a + b for a, b in zip(expected, worst, strict=True)]
    row = found["kafka"]
    assert [row["refusing_writes"], row["offline"], row["at_risk"]] == expected


def test_a_budget_that_was_not_seen_may_protect_what_looks_bare():
    budget = budgets()
    budget.gaps.append(Gap("we may not list poddisruptionbudgets.policy"))
    assert judged(budget, pods(THREE), partitions(ORDERS))[0] == {}
