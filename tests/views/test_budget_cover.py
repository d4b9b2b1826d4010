from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.budget_cover import VIEW, compute


def cover(
    pods: dict[str, list[str]], *budgets: tuple[str, list[str], int | None, int | None, int | None, list[str]]
) -> dict[str, Any]:
    names = ("budget", "pods", "expected", "desired_healthy", "allowed", "foreign")
    clusters = [name.rpartition("/")[0] for name in pods]
    pod = Fact("kubernetes_pod", {"pod": list(pods), "roles": list(pods.values()), "cluster": clusters})
    budget = Fact("x", {name: [budget[i] for budget in budgets] for i, name in enumerate(names)})
    return {row["role"]: row for row in tabulate("x", VIEW.columns, compute(pod=pod, budget=budget)).rows()}


BROKERS = {f"k{n}": ["broker"] for n in (1, 2, 3)}


def test_one_budget_that_lets_one_go():
    row = cover(BROKERS, ("kafka", [*BROKERS], 3, 2, 1, []))["broker"]
    assert (row["budgets"], row["bare"], row["doubled"], row["foreign"]) == (["kafka"], [], [], [])
    assert (row["may_go"], row["allowed"], row["must_stay"]) == (1, 1, 2)


def test_pods_of_two_clusters_are_not_counted_together():
    assert cover({"orders/k1": ["broker"], "payments/k1": ["broker"]}) == {}


def test_without_a_budget_all_may_go():
    row = cover(BROKERS)["broker"]
    assert (row["bare"], row["may_go"], row["must_stay"]) == ([*BROKERS], 3, 0)


def test_a_budget_over_some_leaves_the_others_bare():
    row = cover(BROKERS, ("kafka", ["k1", "k2"], 2, 1, 1, []))["broker"]
    assert (row["bare"], row["may_go"]) == (["k3"], 2)


def test_pods_under_two_budgets_can_not_go_at_all():
    row = cover(BROKERS, ("a", [*BROKERS], 3, 2, 1, []), ("b", [*BROKERS], 3, 2, 1, []))["broker"]
    assert (row["doubled"], row["may_go"], row["must_stay"]) == ([*BROKERS], 0, 3)


def test_numbers_out_of_date_leave_the_counts_unknown():
    row = cover(BROKERS, ("kafka", [*BROKERS], None, None, None, []))["broker"]
    assert (row["may_go"], row["allowed"], row["must_stay"]) == (None, None, None)
    assert row["bare"] == []


def test_a_budget_over_more_than_brokers_names_the_others_and_lets_no_more_go_than_there_are():
    row = cover(BROKERS, ("all", [*BROKERS, "app-1", "app-2"], 5, 0, 5, ["app-1", "app-2"]))["broker"]
    assert row["foreign"] == ["app-1", "app-2"]
    assert (row["may_go"], row["must_stay"]) == (3, 0)


def test_each_role_has_a_row():
    rows = cover({**BROKERS, "z1": ["zookeeper"]}, ("kafka", [*BROKERS], 3, 2, 1, []))
    assert rows["zookeeper"]["bare"] == ["z1"]
    assert rows["broker"]["bare"] == []
