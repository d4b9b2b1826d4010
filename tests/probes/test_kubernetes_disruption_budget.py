import pytest

from support.recorded_kubernetes import Played

BUDGETS = "/apis/policy/v1/namespaces/kafka/poddisruptionbudgets"


def test_a_budget_tells_what_it_selects_and_lets_go():
    row = Played("healthy").row("kubernetes_disruption_budget", budget="kafka")
    assert row["pods"] == ["kafka-1", "kafka-2", "kafka-3"]
    assert (row["roles"], row["foreign"]) == (["broker", "controller"], [])
    assert (row["max_unavailable"], row["min_available"]) == ("1", "")
    assert (row["expected"], row["desired_healthy"], row["healthy"], row["allowed"]) == (3, 2, 3, 1)
    assert (row["observed"], row["unhealthy_policy"]) == (True, "AlwaysAllow")


@pytest.mark.parametrize(("fault", "allowed"), [("toothless-budget", 3), ("blocking-budget", 0), ("crash-loop", 0)])
def test_what_may_go_right_now_is_the_controllers_word(fault: str, allowed: int):
    assert Played(fault).row("kubernetes_disruption_budget", budget="kafka")["allowed"] == allowed


def test_no_budget_is_a_complete_answer():
    fact = Played("no-budget").observe("kubernetes_disruption_budget")
    assert fact.complete
    assert len(fact) == 0


def test_numbers_of_an_older_specification_are_not_given():
    played = Played("healthy")
    played.item(BUDGETS, "kafka")["metadata"]["generation"] += 1
    row = played.row("kubernetes_disruption_budget", budget="kafka")
    assert (row["observed"], row["allowed"], row["desired_healthy"]) == (False, None, None)


def test_an_empty_selector_selects_everything_and_none_nothing():
    played = Played("healthy")
    played.item(BUDGETS, "kafka")["spec"]["selector"] = {}
    row = played.row("kubernetes_disruption_budget", budget="kafka")
    assert len(row["pods"]) == 5
    assert all(name.startswith("connect-") for name in row["foreign"])
    played = Played("healthy")
    played.item(BUDGETS, "kafka")["spec"].pop("selector")
    assert played.row("kubernetes_disruption_budget", budget="kafka")["pods"] == []
