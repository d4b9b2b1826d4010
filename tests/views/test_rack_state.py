from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.rack_state import VIEW, compute
from support.kafka_facts import brokers


def racks(broker: Fact) -> dict[str, dict[str, Any]]:
    return {row["rack"]: row for row in tabulate("rack_state", VIEW.columns, compute(broker=broker)).rows()}


def in_racks(*names: str | None, down: tuple[int, ...] = ()) -> Fact:
    fact = brokers(*down)
    fact.columns["rack"] = [*names]
    return fact


def test_a_rack_is_lost_when_all_of_its_brokers_are() -> None:
    found = racks(in_racks("a", "a", "b", down=(1, 2)))
    assert (found["a"]["lost"], found["a"]["down"], found["b"]["lost"]) == (True, [1, 2], False)


def test_a_rack_with_one_broker_left_is_not_lost() -> None:
    assert racks(in_racks("a", "a", "b", down=(1,)))["a"]["lost"] is False


def test_whether_a_rack_is_lost_is_not_known_while_one_may_answer() -> None:
    fact = in_racks("a", "a", "b", down=(1, 2))
    fact.columns["answers"][1] = None
    assert racks(fact)["a"]["lost"] is None


def test_a_broker_of_which_the_rack_is_not_known_leaves_a_gap() -> None:
    observed = compute(broker=in_racks("a", None, "b"))
    assert [gap.keys for gap in observed.gaps] == [{"broker": 2}]
