from typing import Any

import pytest

from runbook.judge.judge import judge
from runbook.model.block import Objective
from runbook.model.objective import Ranking, TopicRanking
from runbook.model.result import Outcome, Verdict
from support.small_runbooks import ROWS, compiled, context, fact
from support.small_verdicts import NODES, SMALL, row, verdict

pytestmark = pytest.mark.usefixtures("fakes")


# --- over all rows

ALL = NODES + "expect: {all: row, that: size(row.name) >= size(node.broker)}"


def test_whole_columns_are_judged_at_once() -> None:
    nodes = fact("fake_node", [{"broker": 1}, {"broker": 2}])
    assert verdict(ALL, [row("a"), row("b")], more={"node": nodes}).outcome is Outcome.PASS
    seen = verdict(ALL, [row("a")], more={"node": nodes})
    assert (seen.outcome, seen.failed, seen.reason) == (Outcome.FAIL, 1, "not so: It is as it should be")
    assert [(row.key, row.message, row.outcome) for row in seen.rows] == [({}, "name [a], broker [1, 2]", "fail")]


@pytest.mark.parametrize("name", ["row", "node"])
def test_a_gap_in_any_fact_that_is_counted_makes_it_unknown(name: str) -> None:
    gaps = {"row": [], "node": []} | {name: ["hidden"]}
    seen = verdict(ALL, [row("a")], *gaps["row"], more={"node": fact("fake_node", [{"broker": 1}], gaps["node"])})
    assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "hidden")


def test_a_fact_that_is_not_read_does_not_count() -> None:
    body = NODES + "expect: {all: row, that: size(row.name) >= 1}"
    assert verdict(body, [row("a")], more={"node": fact("fake_node", gaps=["hidden"])}).outcome is Outcome.PASS


def test_a_column_with_a_hole_is_not_known_as_a_whole() -> None:
    body = ROWS + "expect: {all: row, that: 'row.size.all(size, size < 10)'}"
    seen = verdict(body, [row("a", size=1), row("b")])
    assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "row.size could not be found out (name b)")
    seen = verdict(body, [row(f"r{number}") for number in range(8)])
    assert seen.reason == "row.size could not be found out (name r0, name r1, name r2, name r3, name r4, 3 more)"


def test_as_many_as_are_named_have_no_more_behind_them() -> None:
    body = ROWS + "expect: {all: row, that: 'row.size.all(size, size < 10)'}"
    seen = verdict(body, [row(f"r{number}", broker=number) for number in range(5)])
    assert seen.reason.endswith("(name r0, name r1, name r2, name r3, name r4)")


def test_what_is_not_known_of_no_row_names_none() -> None:
    body = ROWS + "expect: {all: row, that: 'row.name[3] == row.name[0]'}"
    seen = verdict(body, [row("a")])
    assert seen.outcome is Outcome.UNKNOWN
    assert not seen.reason.endswith(")")


def test_no_rows_at_all_are_no_pass() -> None:
    body = ROWS + "expect: {all: row, that: size(row.name) >= 0}"
    assert verdict(body, []).outcome is Outcome.NOT_APPLICABLE


def test_columns_of_times_are_compared_too() -> None:
    body = ROWS + "expect: {all: row, that: 'row.at.all(at, at < now)'}"
    assert verdict(body, [row("a", at="2026-01-01T00:00:00Z")]).outcome is Outcome.PASS
    assert verdict(body, [row("a", at="2027-01-01T00:00:00Z")]).outcome is Outcome.FAIL


# --- rows that must agree

SAME = ROWS + "expect: {same: row, by: [name], value: [size, tags]}"


def test_rows_of_a_group_that_agree_pass_and_groups_are_counted() -> None:
    seen = verdict(
        SAME, [row("a", broker=1, size=1, tags=["x"]), row("a", size=1, tags=["x"]), row("b", size=2, tags=[])]
    )
    assert (seen.outcome, seen.judged, seen.reason) == (Outcome.PASS, 2, "true of 2 topics")


def test_the_minority_is_named_where_there_is_a_majority() -> None:
    rows = [row("a", broker=i, size=1 if i else 2, tags=[]) for i in range(3)]
    seen = verdict(SAME, rows)
    assert (seen.outcome, seen.failed) == (Outcome.FAIL, 1)
    assert [r.message for r in seen.rows] == ["size 2, tags []; most have 1, []"]


def test_rows_that_disagree_are_told_in_the_words_of_the_check_with_what_they_touch() -> None:
    body = ROWS + "expect: {same: row, by: [ok], value: [size], touches: [broker], message: 'size {row.size}'}"
    seen = verdict(body, [row("a", ok=True, size=1), row("b", ok=True, size=1), row("c", broker=7, ok=True, size=2)])
    assert [(row.key, row.message, row.touches) for row in seen.rows] == [
        ({"name": "c"}, "size 2", {"topic": ["c"], "broker": [7]})
    ]


def test_all_that_is_not_known_of_a_group_is_named() -> None:
    body = ROWS + "expect: {same: row, by: [broker, ok], value: [size]}"
    assert verdict(body, [row("a", size=1)]).reason == "broker, ok is not known"
    seen = verdict(body, [row("a", broker=1, ok=True), row("b", broker=1, ok=True)])
    assert seen.reason == "1, True: a value could not be found out"


def test_every_group_that_disagrees_counts() -> None:
    rows = [row(name, size=size, tags=[]) for name in "abc" for size in ((1, 1) if name == "c" else (1, 2))]
    seen = verdict(SAME, rows)
    assert (seen.outcome, seen.judged, seen.failed) == (Outcome.FAIL, 3, 2)


def test_all_are_named_where_there_is_a_tie() -> None:
    seen = verdict(SAME, [row("a", size=1, tags=[]), row("a", size=2, tags=[])])
    assert [r.message for r in seen.rows] == ["size 1, tags []; they disagree", "size 2, tags []; they disagree"]


def test_rows_that_agree_as_far_as_is_known_are_unknown() -> None:
    seen = verdict(SAME, [row("a", size=1, tags=[]), row("a", tags=[])])
    assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "a: a value could not be found out")


def test_a_value_that_is_not_known_hides_no_difference_in_another() -> None:
    seen = verdict(SAME, [row("a", size=1), row("a", size=2), row("a", tags=[])])
    assert seen.outcome is Outcome.FAIL
    assert [r.message for r in seen.rows] == ["size 1, tags ?; they disagree", "size 2, tags ?; they disagree"]


def test_a_single_row_of_which_the_value_is_not_known_is_unknown() -> None:
    assert verdict(SAME, [row("a", tags=[])]).outcome is Outcome.UNKNOWN


def test_a_group_that_is_not_known_is_unknown() -> None:
    body = ROWS + "expect: {same: row, by: [broker], value: [size]}"
    seen = verdict(body, [row("a", broker=1, size=1), row("b", size=2)])
    assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "broker is not known")


def test_lists_and_maps_can_be_grouped_by_and_compared() -> None:
    body = ROWS + "expect: {same: row, by: [tags], value: [settings]}"
    one, other = (
        row("a", tags=["x"], settings={"k": "1", "j": "2"}),
        row("b", tags=["x"], settings={"j": "2", "k": "1"}),
    )
    assert verdict(body, [one, other]).outcome is Outcome.PASS
    assert verdict(body, [one, other | {"settings": {"k": "3"}}]).outcome is Outcome.FAIL


def test_disagreement_is_a_fail_whatever_is_missing() -> None:
    rows = [row("a", size=1, tags=[]), row("a", size=2, tags=[])]
    assert verdict(SAME, rows, "broker 2 did not answer").outcome is Outcome.FAIL
    assert verdict(SAME, rows[:1], "broker 2 did not answer").outcome is Outcome.UNKNOWN


def test_agreement_of_nothing_is_no_pass() -> None:
    assert verdict(SAME, []).outcome is Outcome.NOT_APPLICABLE


def test_rows_that_must_agree_are_selected_by_where() -> None:
    body = ROWS + "expect: {same: row, where: row.ok, by: [name], value: [size]}"
    rows = [row("a", ok=True, size=1), row("a", ok=False, size=2)]
    assert verdict(body, rows).outcome is Outcome.PASS
    assert verdict(body, [*rows, row("a", size=1)]).outcome is Outcome.UNKNOWN


# --- two looks

LOOKS = "facts: {row: {probe: fake_row, looks: 1s}}\nexpect: {window: row, that: after.size >= before.size}"


def looked(before: list[dict[str, Any]], after: list[dict[str, Any]], *gaps: str) -> Verdict:
    return verdict(LOOKS, after, more={"row.before": fact("fake_row", before, gaps)})


def test_two_looks_are_compared_row_by_row() -> None:
    assert looked([row("a", size=1)], [row("a", size=2)]).outcome is Outcome.PASS
    assert looked([row("a", size=2)], [row("a", size=1)]).outcome is Outcome.FAIL


def test_what_was_seen_once_only_is_unknown() -> None:
    seen = looked([row("a", size=1)], [row("a", size=1), row("b", size=1)])
    assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "it was not there at the first look")
    seen = looked([row("a", size=1), row("b", size=1)], [row("a", size=1)])
    assert seen.reason == "1 of 2 rows of the first look were not there at the second"
    assert (seen.outcome, looked([row("a", size=1)], []).outcome) == (Outcome.UNKNOWN, Outcome.UNKNOWN)


def test_an_incomplete_first_look_is_no_ground_for_a_pass() -> None:
    assert looked([row("a", size=1)], [row("a", size=1)], "late").outcome is Outcome.UNKNOWN


# --- when it applies

APPLIES = """
    facts: {row: {probe: fake_row}, node: {probe: fake_node}}
    applies: {each: node, that: node.limit > 0, otherwise: nothing is limited}
    expect: {each: row, that: row.size <= 10}
"""


def applied(limits: list[int | None], *gaps: str) -> Verdict:
    nodes = [{"broker": i, "limit": limit} for i, limit in enumerate(limits)]
    return verdict(APPLIES, [row("a", size=11)], more={"node": fact("fake_node", nodes, gaps)})


def test_a_check_that_applies_is_judged() -> None:
    assert applied([1, 2]).outcome is Outcome.FAIL


def test_a_check_that_does_not_apply_says_why() -> None:
    seen = applied([1, 0])
    assert (seen.outcome, seen.reason) == (Outcome.NOT_APPLICABLE, "nothing is limited")


@pytest.mark.parametrize(("limits", "gaps"), [([1], ["hidden"]), ([1, None], []), ([], []), ([], ["hidden"])])
def test_whether_it_applies_is_unknown_without_complete_facts(limits: list[int | None], gaps: list[str]) -> None:
    seen = applied(limits, *gaps)
    assert seen.outcome is Outcome.UNKNOWN
    assert seen.reason.startswith("whether it applies is not known: ")


# --- objectives in conflict

AGAINST = {"objectives": "[availability]", "against": "[durability]"}


def ranked(body: str, rows: list[dict[str, Any]], ranking: Ranking) -> Verdict:
    return judge(compiled(body, **AGAINST), {"row": fact("fake_row", rows)}, context(ranking))


def test_each_topic_is_judged_by_the_ranking_in_force_for_it() -> None:
    first: list[Objective] = ["availability", "durability"]
    ranking = Ranking(["durability"], [TopicRanking("log.*", first)])
    seen = ranked(SMALL, [row("log.a", size=1), row("orders", size=11)], ranking)
    assert (seen.outcome, seen.judged) == (Outcome.PASS, 1)
    assert ranked(SMALL, [row("log.a", size=11)], ranking).outcome is Outcome.FAIL


def test_a_ranking_the_other_way_leaves_nothing_to_judge() -> None:
    seen = ranked(SMALL, [row("a", size=11)], Ranking(["durability", "availability"]))
    assert (seen.outcome, seen.reason) == (
        Outcome.NOT_APPLICABLE,
        "nothing to judge: the objectives in force rank the other way",
    )


def test_rows_that_must_agree_heed_the_ranking_too() -> None:
    body = ROWS + "expect: {same: row, by: [ok], value: [size]}"
    rows = [row("log.a", ok=True, size=1), row("orders", ok=True, size=2)]
    ranking = Ranking(["durability"], [TopicRanking("log.*", ["availability", "durability"])])
    assert ranked(body, rows, ranking).outcome is Outcome.PASS
    assert ranked(body, [*rows, row("log.b", ok=True, size=3)], ranking).outcome is Outcome.FAIL


def test_a_row_whose_topic_is_not_known_is_judged() -> None:
    ranking = Ranking(["durability"], [TopicRanking("log.*", ["availability", "durability"])])
    assert ranked(SMALL, [{"size": 11}], ranking).outcome is Outcome.FAIL
