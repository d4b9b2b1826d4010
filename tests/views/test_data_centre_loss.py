from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.data_centre_loss import VIEW, compute
from support.placed_brokers import FOUR, SITES, brokers, partition


def seen(part: Fact, broker: Fact, **parameters: Any) -> Fact:
    return tabulate("data_centre_loss", VIEW.columns, compute(partition=part, broker=broker, sites=SITES, **parameters))


def losses(fact: Fact) -> dict[str, tuple[int, int, int]]:
    return {row["data_centre"]: (row["refusing_writes"], row["offline"], row["at_risk"]) for row in fact.rows()}


def test_three_of_four_needed_means_refused_writes_and_no_loss() -> None:
    fact = seen(partition([1, 2, 3, 4]), brokers(FOUR))
    assert losses(fact) == {"east": (1, 0, 0), "west": (1, 0, 0)}
    assert [(row["brokers"], row["left"]) for row in fact.rows()] == [([1, 3], 2), ([2, 4], 2)]


def test_two_of_four_needed_go_on() -> None:
    assert losses(seen(partition([1, 2, 3, 4], needs=2), brokers(FOUR))) == {"east": (0, 0, 0), "west": (0, 0, 0)}


def test_what_is_in_one_place_is_lost_with_it() -> None:
    assert losses(seen(partition([1, 3], needs=2), brokers(FOUR))) == {"east": (1, 1, 1), "west": (0, 0, 0)}


def test_a_place_that_is_lost_already_is_none_to_lose() -> None:
    fact = seen(partition([1, 2, 3, 4], isr=[1, 3]), brokers(FOUR, fenced=[2, 4]))
    assert losses(fact) == {"east": (1, 1, 1)}
    assert [row["left"] for row in fact.rows()] == [0]


def test_a_broker_of_unknown_place_is_one_gap() -> None:
    fact = seen(partition([1, 2]), brokers({1: "east-1", 2: "west-1", 3: ""}))
    assert [gap.keys for gap in fact.gaps] == [{"broker": 3}]
    assert "where broker 3 stands is not known" in fact.gaps[0].reason


def test_a_partition_of_unknown_state_is_a_gap() -> None:
    fact = seen(partition([1, 2], needs=None), brokers(FOUR))
    assert [gap.keys for gap in fact.gaps] == [{"topic": "orders"}]
