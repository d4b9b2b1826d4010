from typing import Any

import pytest

from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact, tabulate
from runbook.views.controller_centre import VIEW, compute, layout
from support.placed_brokers import FOUR, SITES, brokers, voters


def rows(quorum: Fact, broker: Fact, **parameters: Any) -> dict[str, dict[str, Any]]:
    seen = tabulate("controller_centre", VIEW.columns, compute(quorum=quorum, broker=broker, sites=SITES, **parameters))
    return {row["data_centre"]: row for row in seen.rows()}


def test_of_two_places_one_has_the_majority() -> None:
    seen = rows(voters({1: 0, 2: 5, 3: 5}), brokers(FOUR))
    assert {name: (row["votes"], row["left"], row["survives"]) for name, row in seen.items()} == {
        "east": (2, 1, False),
        "west": (1, 2, True),
    }
    assert {row["layout"] for row in seen.values()} == {"2"}


def test_a_vote_in_a_third_place_makes_two_and_a_half_and_outlives_any_of_them() -> None:
    seen = rows(voters({1: 0, 2: 5, 103: 5}), brokers(FOUR), controllers=["103=north"])
    assert [row["survives"] for row in seen.values()] == [True] * 3
    assert (seen["north"]["brokers"], seen["north"]["votes"], seen["north"]["layout"]) == (0, 1, "2.5")


def test_a_controller_of_unknown_place_leaves_open_what_hangs_on_it() -> None:
    seen = rows(voters({1: 0, 2: 5, 103: 5}), brokers(FOUR))
    assert seen["east"]["survives"] is None
    assert (seen["east"]["unplaced"], seen["east"]["left"], seen["east"]["layout"]) == (["103"], None, None)


def test_a_controller_of_unknown_place_may_not_matter() -> None:
    seen = rows(voters({1: 0, 2: 5, 103: 5, 3: 5, 4: 5}), brokers(FOUR))
    assert seen["east"]["survives"] is None
    assert rows(voters({1: 0, 3: 5, 103: 5}), brokers(FOUR))["east"]["survives"] is False


def test_a_place_whose_brokers_are_all_dead_is_still_one() -> None:
    seen = rows(voters({1: 0, 2: 600_000, 3: 5}), brokers(FOUR, fenced=[2, 4]))
    assert (seen["west"]["votes"], seen["west"]["left"], seen["west"]["survives"]) == (1, 2, True)
    assert (seen["east"]["left"], seen["east"]["survives"]) == (0, False)


def test_what_brokers_say_of_themselves_comes_before_what_was_written() -> None:
    assert rows(voters({1: 0, 2: 5, 3: 5}), brokers(FOUR), controllers=["3=north"])["east"]["votes"] == 2


def test_without_voters_there_is_a_gap() -> None:
    assert compute(quorum=voters({}), broker=brokers(FOUR)).gaps[0].reason == "no voter of the quorum was seen"


@pytest.mark.parametrize("entry", ["east", "three=north", "3="])
def test_an_entry_that_places_no_node_is_said_with_the_remedy(entry: str) -> None:
    with pytest.raises(Misconfigured, match="101=dublin"):
        rows(voters({1: 0}), brokers(FOUR), controllers=[entry])


@pytest.mark.parametrize(
    ("standing", "votes", "expected"),
    [
        (["a", "a"], ["a"], "1"),
        (["a", "b"], ["a", "b", "b"], "2"),
        (["a", "b"], ["a", "b", "c"], "2.5"),
        (["a", "b"], ["a", "b", None], None),
        (["a", "b"], ["c", None], "2.5"),
        (["a", "b", "c"], [None], "3"),
        (["a", None], ["a"], None),
        (list("abcd"), [], "4"),
    ],
)
def test_a_layout_is_named_by_where_brokers_and_votes_stand(
    standing: list[str | None], votes: list[str | None], expected: str | None
) -> None:
    assert layout(standing, votes) == expected
