from typing import Any

from runbook.model.fact import Fact, Gap, tabulate
from runbook.model.gap_kind import GapKind
from runbook.views.controller_majority import REFUSES, VIEW, compute
from support.kafka_facts import brokers, fact


def state(quorum: Fact, broker: Fact) -> dict[str, Any]:
    [row] = tabulate("controller_majority", VIEW.columns, compute(quorum=quorum, broker=broker)).rows()
    return row


def quorum_of(*voters: int) -> Fact:
    return fact("kafka_quorum", [{"node": node, "voter": True, "leader": node == voters[0]} for node in voters])


def unseen_quorum(waited: float) -> Fact:
    return fact("kafka_quorum", [], Gap("in vain", kind=GapKind.CONTROLLER_SILENT, waited=waited))


def test_a_quorum_that_answers_and_has_its_voters_is_whole() -> None:
    row = state(quorum_of(1, 2, 3), brokers())
    assert (row["lost"], row["answered"], row["voters"], row["silent"]) == (False, True, 3, [])


def test_one_voter_that_refuses_connections_leaves_a_majority() -> None:
    assert state(quorum_of(1, 2, 3), brokers(2, failure=REFUSES, fenced=False))["lost"] is False


def test_two_of_three_that_refuse_connections_are_the_majority_though_the_leader_still_answers() -> None:
    row = state(quorum_of(1, 2, 3), brokers(2, 3, failure=REFUSES, fenced=False))
    assert (row["lost"], row["refusing"]) == (True, [2, 3])


def test_a_leader_from_which_no_majority_fetches_has_lost_it() -> None:
    nobody = [{"node": node, "voter": True, "leader": False} for node in (1, 2, 3)]
    row = state(fact("kafka_quorum", nobody), brokers())
    assert (row["lost"], row["answered"], row["voters"]) == (True, True, 3)
    assert state(fact("kafka_quorum", nobody, Gap("the quorum has no leader")), brokers())["lost"] is None


def test_voters_that_are_only_out_of_our_sight_are_not_lost() -> None:
    row = state(quorum_of(1, 2, 3), brokers(2, 3, failure="timed out", fenced=False))
    assert (row["lost"], row["refusing"], row["silent"]) == (False, [], [2, 3])


def test_where_no_controller_answers_and_nobody_was_fenced_there_is_no_majority() -> None:
    row = state(unseen_quorum(2.2), brokers(2, failure=REFUSES, fenced=False))
    assert (row["lost"], row["answered"], row["voters"]) == (True, False, None)


def test_an_answer_for_which_there_was_hardly_time_to_wait_tells_of_no_controller() -> None:
    """A run that had 0.9 s of its 10 s left when it asked said of a healthy cluster that no controller answers."""
    assert state(unseen_quorum(0.4), brokers())["lost"] is None
    assert state(unseen_quorum(1.0), brokers())["lost"] is True


def test_where_a_broker_was_fenced_a_controller_has_acted() -> None:
    assert state(unseen_quorum(2.2), brokers(2))["lost"] is None


def test_where_we_may_not_ask_nothing_is_known() -> None:
    denied = Gap("broker 1 refuses it", kind=GapKind.DENIED, waited=2.2)
    assert state(fact("kafka_quorum", [], denied), brokers())["lost"] is None


def test_a_bundle_from_before_the_column_was_there_tells_nothing_of_who_is_silent_and_the_rest_as_before() -> None:
    older = brokers(2, fenced=False)
    older.columns["failure"] = [None] * 3
    made = compute(quorum=quorum_of(1, 2, 3), broker=older)
    assert ([*made.rows], [gap.keys for gap in made.gaps]) == ([], [{"broker": 2}])
    well = brokers()
    well.columns["failure"] = [None] * 3
    assert state(quorum_of(1, 2, 3), well)["lost"] is False
