from typing import Any

import pytest

from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact, tabulate
from runbook.views.data_centre import VIEW, compute
from support.placed_brokers import FOUR, SITES, brokers


def seen(broker: Fact, **parameters: Any) -> Fact:
    return tabulate("data_centre", VIEW.columns, compute(broker=broker, **parameters))


def test_racks_are_in_the_data_centre_whose_pattern_they_match() -> None:
    rows = {row["data_centre"]: row for row in seen(brokers(FOUR, fenced=[4]), sites=SITES).rows()}
    assert {name: row["brokers"] for name, row in rows.items()} == {"east": [1, 3], "west": [2, 4]}
    assert rows["east"]["racks"] == ["east-1", "east-2"]
    assert (rows["west"]["fenced"], rows["west"]["data_centres"]) == ([4], 2)


def test_without_patterns_each_rack_is_one() -> None:
    assert [row["data_centre"] for row in seen(brokers(FOUR)).rows()] == ["east-1", "east-2", "west-1", "west-2"]


def test_the_first_pattern_that_matches_holds() -> None:
    rows = list(seen(brokers(FOUR), sites=["east-1=near", "*=far"]).rows())
    assert {row["data_centre"]: row["brokers"] for row in rows} == {"near": [1], "far": [2, 3, 4]}


def test_a_pattern_compares_letters_as_they_stand() -> None:
    assert [row["data_centre"] for row in seen(brokers({1: "EAST-1"}), sites=SITES).rows()] == ["EAST-1"]


@pytest.mark.parametrize("rack", [None, ""])
def test_a_broker_of_unknown_place_is_a_gap_and_leaves_open_whether_one_place_is_two(rack: str | None) -> None:
    centres = seen(brokers({1: "a", 2: rack}))
    assert [gap.keys for gap in centres.gaps] == [{"broker": 2}]
    assert [row["data_centres"] for row in centres.rows()] == [None]
    two = seen(brokers({1: "a", 2: "b", 3: rack}))
    assert [row["data_centres"] for row in two.rows()] == [2, 2]
    assert not two.complete


def test_everything_may_be_said_to_stand_in_one_place() -> None:
    fact = seen(brokers({1: "", 2: "a"}), sites=["*=here"])
    assert fact.complete
    assert [(row["data_centre"], row["brokers"], row["data_centres"]) for row in fact.rows()] == [("here", [1, 2], 1)]


@pytest.mark.parametrize("entry", ["east", "east=", "=", ""])
def test_an_entry_that_names_no_data_centre_is_said_with_the_remedy(entry: str) -> None:
    with pytest.raises(Misconfigured, match=r"names no data centre; write dub-\*=dublin"):
        compute(broker=brokers(FOUR), sites=[entry])
