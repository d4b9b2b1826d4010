from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runbook.model.fact import Fact, tabulate
from runbook.views import broker_loss
from runbook.views.quorum_loss import VIEW, compute
from support.placed_brokers import brokers, voters

THREE = {1: "a", 2: "b", 3: "c"}


def rows(quorum: Fact, broker: Fact, **parameters: Any) -> dict[str, dict[str, Any]]:
    seen = tabulate("quorum_loss", VIEW.columns, compute(quorum=quorum, broker=broker, **parameters))
    return {row["scenario"]: row for row in seen.rows()}


def test_three_voters_outlive_one_node_and_not_two() -> None:
    seen = rows(voters({1: 0, 2: 10, 3: 10}), brokers(THREE), nodes=2)
    assert (seen["broker 2"]["left"], seen["broker 2"]["needed"], seen["broker 2"]["survives"]) == (2, 2, True)
    assert seen["broker 1 + broker 3"]["survives"] is False


def test_a_node_that_only_follows_has_no_vote() -> None:
    assert rows(voters({1: 0, 2: 10, 3: 10}), brokers(THREE))["broker 1"]["voters"] == 3


@pytest.mark.parametrize("age", [None, 10, 90_000])
def test_who_runs_on_another_disk_gives_nobody_the_vote_of_the_one_that_is_gone(age: int | None) -> None:
    quorum = voters({1: 0, 2: age, 3: 10})
    quorum.columns["replaced_by"] = ["", "new", "", ""]
    row = rows(quorum, brokers(THREE))["broker 1"]
    assert (row["left"], row["survives"]) == (1, False)
    assert rows(quorum, brokers(THREE))["broker 2"]["survives"] is True


def test_controllers_of_their_own_may_be_lost_like_brokers() -> None:
    seen = rows(voters({101: 0, 102: 5, 103: 5}), brokers(THREE), nodes=2)
    assert seen["broker 1 + broker 2"]["survives"] is True
    assert seen["controller 101"]["survives"] is True
    assert seen["controller 101 + controller 103"]["survives"] is False


def test_where_controllers_of_their_own_stand_is_not_known() -> None:
    row = rows(voters({101: 0, 102: 5, 103: 5}), brokers(THREE), racks=True)["rack a"]
    assert (row["survives"], row["left"]) == (None, None)


def test_a_rack_takes_all_of_its_voters() -> None:
    row = rows(voters({1: 0, 2: 5, 3: 5}), brokers({1: "a", 2: "a", 3: "b"}), racks=True)["rack a"]
    assert (row["nodes"], row["left"], row["survives"]) == ([1, 2], 1, False)


@pytest.mark.parametrize(
    ("ages", "fate"),
    [
        ({1: 0, 2: 10, 3: 60_000}, False),
        ({1: 0, 2: 10, 3: None}, None),
        ({1: 0, 2: 10, 3: 10, 4: 10, 5: 60_000}, True),
    ],
)
def test_a_silent_voter_is_dead_already_and_one_of_unknown_age_is_unknown(ages: Any, fate: Any) -> None:
    assert rows(voters(ages), brokers(THREE))["broker 2"]["survives"] is fate


def test_a_fenced_broker_has_lost_its_vote_already_and_is_no_scenario() -> None:
    seen = rows(voters({1: 0, 2: 10, 3: 10}), brokers(THREE, fenced=(3,)))
    assert "broker 3" not in seen
    assert seen["broker 1"]["survives"] is False


def test_without_a_voter_nothing_is_said_and_a_gap_says_so() -> None:
    assert [gap.reason for gap in compute(quorum=voters({}), broker=brokers(THREE)).gaps] == [
        "no voter of the quorum was seen"
    ]


def test_what_is_lost_has_the_names_it_has_in_broker_loss() -> None:
    nothing = Fact("p", {name: [] for name in broker_loss.VIEW.inputs["partition"].columns})
    seen = broker_loss.compute(partition=nothing, broker=brokers(THREE), brokers=2, racks=True)
    assert [row.scenario for row in seen.rows] == [
        *rows(voters({1: 0, 2: 0, 3: 0}), brokers(THREE), nodes=2, racks=True)
    ]


@given(st.dictionaries(st.integers(1, 7), st.sampled_from([0, 10, 60_000]), min_size=1), st.sets(st.integers(1, 7)))
def test_a_majority_of_all_voters_must_be_alive(ages: dict[int, int], fenced: set[int]) -> None:
    nodes = dict.fromkeys(range(1, 8), "a")
    seen = rows(voters(dict(ages)), brokers(nodes, tuple(fenced)), nodes=2)
    for row in seen.values():
        left = [n for n, age in ages.items() if age <= 10_000 and n not in fenced and n not in row["nodes"]]
        assert row["survives"] is (2 * len(left) > len(ages))


def test_a_voter_that_does_not_answer_us_may_be_dead_whatever_its_leader_last_heard() -> None:
    seen = rows(voters({1: 0, 2: 10, 3: 10}), brokers(THREE, silent=(3,)))
    assert seen["broker 2"]["survives"] is None
    assert seen["broker 3"]["survives"] is True
