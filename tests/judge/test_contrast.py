"""What tells offending rows from those that are well: by counts, the best first, and silence where nothing does."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runbook.judge.contrast import JoinedTrait, Trait, contrast
from runbook.model.diagnosis import Contrast

LEADERS = [2] * 9 + [1] * 8 + [3] * 7
"""Of 24 partitions, as in the lab: the first nine are led by broker 2."""
BAD, WELL = range(9), range(9, 24)


def said(*traits: Trait, bad: range = BAD, well: range = WELL) -> list[str]:
    return [
        f"{one.says}: {one.failing} of {one.of_failing}, {one.others} of {one.of_others}"
        for one in contrast(traits, bad, well)
    ]


def test_the_leader_of_all_that_fails_and_of_nothing_else_is_told_with_its_counts() -> None:
    """Fetchers of broker 3 do not reach broker 2: whatever 2 leads is out of sync at 3."""
    replicas = [[1, 2, 3]] * 24
    told = contrast([Trait("led by broker", LEADERS, "broker"), Trait("on broker", replicas, "broker")], BAD, WELL)
    assert told == [Contrast("led by broker 2", 9, 9, 0, 15, {"broker": "2"})]


def test_two_conditions_tell_what_neither_tells_alone() -> None:
    """Replicas, by follower and leader: neither broker 3 nor leader 2 fails everywhere, but their pair does."""
    pairs = [(follower, leader) for leader in (1, 2, 3) for follower in (1, 2, 3) for _ in range(8)]
    followers, leaders = ([pair[place] for pair in pairs] for place in (0, 1))
    bad = [row for row, pair in enumerate(pairs) if pair == (3, 2)]
    well = [row for row in range(len(pairs)) if row not in bad]
    told = contrast([Trait("broker", followers, "broker"), Trait("led by broker", leaders, "broker")], bad, well)
    assert [one.says for one in told] == ["broker 3, led by broker 2"]


def test_a_second_statement_that_is_as_good_is_told_and_no_third() -> None:
    columns = [Trait(word, [row < 9 for row in range(24)], word) for word in ("topic", "host", "rack")]
    assert said(*columns) == ["topic: 9 of 9, 0 of 15", "host: 9 of 9, 0 of 15"]


def test_what_names_something_is_told_before_what_only_describes_it() -> None:
    assert said(Trait("internal", [row < 9 for row in range(24)]), Trait("led by broker", LEADERS, "broker")) == [
        "led by broker 2: 9 of 9, 0 of 15"
    ]


def test_the_rack_is_told_where_brokers_of_it_share_the_failures_and_else_the_broker() -> None:
    rack = JoinedTrait("leader's rack", {1: "a", 2: "b", 3: "a", 4: "b"})
    leaders = Trait("led by broker", [2, 4] * 5 + [1, 3] * 7, "broker", [rack])
    assert said(leaders, bad=range(10), well=range(10, 24)) == ["leader's rack b: 10 of 10, 0 of 14"]
    assert said(Trait("led by broker", LEADERS, "broker", [rack])) == ["led by broker 2: 9 of 9, 0 of 15"]


@pytest.mark.parametrize(
    "cells",
    [
        pytest.param(["orders"] * 24, id="all rows share it"),
        pytest.param([None] * 24, id="nobody knows it"),
        pytest.param([2] * 9 + [None] + [1] * 14, id="nobody knows it of one that is well"),
        pytest.param([-1] * 9 + [1] * 15, id="there is none"),
        pytest.param([2] * 6 + [1] * 3 + [1] * 15, id="too few of those that fail"),
        pytest.param([2] * 9 + [2] * 5 + [1] * 10, id="too many of those that are well"),
    ],
)
def test_what_tells_nothing_is_not_told(cells: list[Any]) -> None:
    assert said(Trait("led by broker", cells, "broker")) == []


@pytest.mark.parametrize(("bad", "well", "told"), [(4, 3, 1), (3, 3, 0), (2, 5, 1), (2, 4, 0), (24, 0, 0), (0, 24, 0)])
def test_what_lots_could_give_is_not_told(bad: int, well: int, told: int) -> None:
    cells = ["x"] * bad + ["y"] * well
    assert len(contrast([Trait("topic", cells, "topic")], range(bad), range(bad, bad + well))) == told


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3), st.booleans()), max_size=60))
def test_counts_are_those_of_the_rows(rows: list[tuple[int, int, bool]]) -> None:
    bad = [place for place, (_, _, fails) in enumerate(rows) if fails]
    well = [place for place in range(len(rows)) if place not in bad]
    columns = {"leader": [one[0] for one in rows], "follower": [one[1] for one in rows]}
    for one in contrast([Trait(name, cells, name) for name, cells in columns.items()], bad, well):
        wanted = dict(part.split(" ") for part in one.says.split(", "))
        holds = [all(str(columns[name][row]) == value for name, value in wanted.items()) for row in range(len(rows))]
        assert (one.failing, one.others) == (sum(holds[row] for row in bad), sum(holds[row] for row in well))
        assert (one.of_failing, one.of_others) == (len(bad), len(well))
        assert one.failing / one.of_failing - one.others / one.of_others >= 0.75


def test_an_empty_text_is_no_value() -> None:
    owners = [""] * 9 + ["payments"] * 15
    assert said(Trait("owner", owners)) == []
