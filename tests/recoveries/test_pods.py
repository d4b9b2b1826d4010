from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery
from runbook.recoveries import disruption_budget_allows_one, pod_ready
from support.kafka_facts import fact, situation

GIVEN = situation({"pods": ["p"], "owners": ["set"]})


def pods(**cells: Any) -> Fact:
    values = {
        "ready": False,
        "phase": "Running",
        "waiting": "CrashLoopBackOff",
        "restarts": 9,
        "last_exit": "OOMKilled",
    }
    values |= {"last_exit_code": 137, "minutes_since_exit": 3, "node": "n"}
    return fact("kubernetes_pod", [{"pod": pod, **values, **cells} for pod in ("p", "q")])


def budgets(*rows: dict[str, Any]) -> Fact:
    cells = {"min_available": "50%", "max_unavailable": "", "foreign": [], "healthy": 2, "allowed": 0, "expected": 2}
    return fact("kubernetes_disruption_budget", [cells | row for row in rows])


def made(recovery: Recovery, seen: Fact, **given: list[str]) -> Fact:
    return recovery.sets[seen.source](seen, situation({**GIVEN.given, **given}))


def test_a_pod_that_is_ready_takes_traffic_and_what_it_counts_then_was_never_seen() -> None:
    one, other = made(pod_ready.RECOVERY, pods()).rows()
    assert (one["ready"], one["phase"], one["waiting"], one["restarts"]) == (True, "Running", "", None)
    assert (other["ready"], other["waiting"], other["restarts"]) == (False, "CrashLoopBackOff", 9)


def test_what_keeps_it_has_one_more_that_is_ready_and_never_more_than_it_is_asked_for() -> None:
    workloads = [{"workload": "set", "ready": 2, "replicas": 3}, {"workload": "set", "ready": 3, "replicas": 3}]
    seen = fact("kubernetes_workload", [*workloads, {"workload": "other", "ready": 1, "replicas": 3}])
    assert made(pod_ready.RECOVERY, seen).columns["ready"] == [3, 3, 1]


@pytest.mark.parametrize(("pods_of_it", "ready"), [(["p"], None), (["q"], 1)])
def test_how_many_a_service_leads_to_then_was_never_seen(pods_of_it: list[str], ready: int | None) -> None:
    seen = fact("kubernetes_service", [{"service": "s", "pods": pods_of_it, "ready": 1}])
    assert made(pod_ready.RECOVERY, seen).columns["ready"] == [ready]


def test_budgets_become_one_over_all_pods_that_lets_one_go() -> None:
    seen = budgets({"budget": "b", "pods": ["p"]}, {"budget": "c", "pods": ["p", "q"]}, {"budget": "z", "pods": ["x"]})
    one, other = made(disruption_budget_allows_one.RECOVERY, seen, budgets=["b", "c"], bare=["r"]).rows()
    assert (one["budget"], sorted(one["pods"]), one["max_unavailable"]) == ("b", ["p", "q", "r"], "1")
    assert (one["expected"], one["desired_healthy"], one["allowed"]) == (3, 2, None)
    assert (other["budget"], other["expected"]) == ("z", 2)


def test_where_there_was_none_there_is_one() -> None:
    [budget] = made(disruption_budget_allows_one.RECOVERY, budgets(), budgets=[], bare=["p", "q"]).rows()
    assert (budget["pods"], budget["desired_healthy"]) == (["p", "q"], 1)
