from typing import Any

import pytest

from runbook.judge.judge import MAX_ROWS, judge
from runbook.model.result import Outcome, Verdict
from support.small_runbooks import ROWS, compiled, context, fact
from support.small_verdicts import JOIN, NODES, SMALL, row, verdict

pytestmark = pytest.mark.usefixtures("fakes")


# --- row by row


def test_a_pass_says_how_many_rows_it_judged() -> None:
    seen = verdict(SMALL, [row("a", size=1), row("b", size=10)])
    assert (seen.outcome, seen.judged, seen.reason) == (Outcome.PASS, 2, "true of 2 topics")


def test_a_key_that_is_empty_in_each_row_names_none_of_them() -> None:
    """Of connectors that Connect runs, none has a file, which is their second key."""
    one_key = {"connector": "copies", "file": ""}
    check = compiled("facts: {row: {probe: mirror_connector}}\nexpect: {each: row, that: row.connector != ''}")
    for cells, noun in ((one_key, "connector"), (one_key | {"file": "mm2.properties"}, "file")):
        seen = judge(check, {"row": fact("mirror_connector", [cells])}, context())
        assert seen.reason == f"true of 1 {noun}"


def test_a_pass_names_what_its_rows_leave_out_by_design() -> None:
    expect = "expect: {each: row, that: row.connector != '', scope: [file]}"
    check = compiled(f"facts: {{row: {{probe: mirror_connector}}}}\n{expect}")
    for files, said in (
        (["", ""], ""),
        (["no shares", "no shares"], "; no shares"),
        (["no shares", ""], "; no shares (1 of 2)"),
        ([None, "no shares"], "; no shares (1 of 2)"),
    ):
        rows = [{"connector": str(place), "file": file} for place, file in enumerate(files)]
        seen = judge(check, {"row": fact("mirror_connector", rows)}, context())
        assert (seen.outcome, seen.reason.partition("s;")[2]) == (Outcome.PASS, said[1:])


def test_an_offending_row_is_listed_with_its_key_and_what_it_touches() -> None:
    seen = verdict(SMALL, [row("a", size=1), row("b", size=11)])
    assert (seen.outcome, seen.failed, seen.judged) == (Outcome.FAIL, 1, 2)
    assert [(r.key, r.message, r.touches) for r in seen.rows] == [({"name": "b"}, "size 11", {"topic": ["b"]})]


def test_one_offending_row_is_a_fail_whatever_is_missing() -> None:
    seen = verdict(SMALL, [row("a", size=11), row("b")], "broker 2 did not answer")
    assert seen.outcome is Outcome.FAIL
    assert (seen.failed, seen.undecided, [gap.reason for gap in seen.gaps]) == (1, 1, ["broker 2 did not answer"])


def test_a_gap_turns_a_pass_into_unknown_and_is_named() -> None:
    seen = verdict(SMALL, [row("a", size=1)], "broker 2 did not answer")
    assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "broker 2 did not answer")


def test_a_cell_that_is_not_known_turns_a_pass_into_unknown_and_is_named() -> None:
    seen = verdict(SMALL, [row("a", size=1), row("b")])
    assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "row.size could not be found out")
    assert [(r.key["name"], r.outcome, r.message, r.touches) for r in seen.rows] == [
        ("b", "unknown", "row.size could not be found out", {"topic": ["b"]})
    ]


@pytest.mark.parametrize(
    ("count", "expected"),
    [(3, "no 0; no 1; no 2"), (4, "no 0; no 1; no 2; and 1 more"), (6, "no 0; no 1; no 2; and 3 more")],
)
def test_of_many_reasons_the_first_are_told_and_how_many_more_there_are(count: int, expected: str) -> None:
    assert verdict(SMALL, [row("a", size=1)], *(f"no {number}" for number in range(count))).reason == expected


def test_what_a_check_does_not_apply_for_is_its_outcome_with_what_could_not_be_seen() -> None:
    applies = "applies: {each: node, that: node.broker > 1, otherwise: there is one}\n"
    body = NODES + applies + "expect: {each: row, that: row.size <= 10}"
    none = verdict(body, [], more={"node": fact("fake_node", inapplicable="bare metal")})
    assert (none.outcome, none.reason) == (Outcome.NOT_APPLICABLE, "bare metal")
    hidden = verdict(body, [], more={"node": fact("fake_node", gaps=["hidden"])})
    assert (hidden.outcome, hidden.reason) == (Outcome.UNKNOWN, "whether it applies is not known: hidden")
    assert [gap.reason for gap in hidden.gaps] == ["hidden"]
    nothing = verdict(body, [], more={"node": fact("fake_node")})
    assert nothing.reason == "whether it applies is not known: nothing was seen"


def test_a_cell_that_is_not_known_does_no_harm_where_the_rest_decides() -> None:
    body = ROWS + "expect: {each: row, that: row.ok || row.size <= 10}"
    assert verdict(body, [row("a", ok=True)]).outcome is Outcome.PASS
    assert verdict(body, [row("a", ok=False)]).outcome is Outcome.UNKNOWN


def test_nothing_to_judge_is_no_pass() -> None:
    seen = verdict(SMALL, [])
    assert (seen.outcome, seen.reason) == (Outcome.NOT_APPLICABLE, "nothing to judge: there is none")


def test_nothing_seen_of_an_incomplete_fact_is_unknown() -> None:
    assert verdict(SMALL, [], "no rights").outcome is Outcome.UNKNOWN


def test_an_inapplicable_fact_makes_the_check_inapplicable_with_its_reason() -> None:
    seen = judge(compiled(SMALL), {"row": fact("fake_row", inapplicable="ZooKeeper mode")}, context())
    assert (seen.outcome, seen.reason) == (Outcome.NOT_APPLICABLE, "ZooKeeper mode")


def test_an_expression_that_never_ends_is_unknown_soon() -> None:
    nested = "row.numbers.all(a, row.numbers.all(b, row.numbers.all(c, row.numbers.all(d, a + b + c + d >= 0))))"
    seen = verdict(ROWS + f"expect: {{each: row, that: '{nested}'}}", [row("a", numbers=list(range(300)))] * 3000)
    assert (seen.outcome, seen.undecided) == (Outcome.UNKNOWN, 3000)
    assert seen.reason == "the expression takes more iterations than are allowed"


@pytest.mark.parametrize("that", ["100 / row.size > 1", "row.settings['no such key'] == 'x'", "row.numbers[3] == 1"])
def test_an_expression_that_goes_wrong_is_unknown(that: str) -> None:
    body = ROWS + f'expect: {{each: row, that: "{that}"}}'
    assert verdict(body, [row("a", size=0, numbers=[], settings={})]).outcome is Outcome.UNKNOWN


def test_rows_kept_are_bounded_and_counts_are_of_all() -> None:
    seen = verdict(SMALL, [row(f"t{i}", size=11) for i in range(MAX_ROWS + 5)])
    assert (seen.failed, len(seen.rows)) == (MAX_ROWS + 5, MAX_ROWS)


def test_offending_rows_are_kept_before_those_that_could_not_be_judged() -> None:
    seen = verdict(SMALL, [row(f"t{i}") for i in range(MAX_ROWS)] + [row("bad", size=11)])
    assert (seen.rows[0].key, len(seen.rows), seen.undecided) == ({"name": "bad"}, MAX_ROWS, MAX_ROWS)


def test_the_message_of_an_offending_row_is_filled_in_and_shows_what_is_not_known() -> None:
    body = ROWS + 'expect: {each: row, that: row.size <= 10, message: "{row.name} on {row.broker}: {row.size * 2} {}"}'
    [offending] = verdict(body, [row("a", size=11)]).rows
    assert offending.message == "a on ?: 22 {}"


def test_the_effect_counts() -> None:
    seen = verdict(SMALL, [row("a", size=11), row("b", size=1)], effect='"{failed} of {judged} are too large"')
    assert seen.reason == "1 of 2 are too large"


def test_columns_named_by_touches_say_what_a_row_is_about() -> None:
    body = ROWS + "expect: {each: row, that: row.size <= 10, touches: [numbers, broker]}"
    [offending] = verdict(body, [row("a", size=11, numbers=[3, 4], broker=-1)]).rows
    assert offending.touches == {"topic": ["a"], "broker": [3, 4]}


def test_times_are_compared_with_the_time_of_collection() -> None:
    body = ROWS + 'expect: {each: row, that: now - row.at < duration("48h")}'
    assert verdict(body, [row("a", at="2026-11-20T10:00:00Z")]).outcome is Outcome.PASS
    assert verdict(body, [row("a", at="2026-11-01T10:00:00Z")]).outcome is Outcome.FAIL
    assert verdict(body, [row("a", at="yesterday")]).outcome is Outcome.UNKNOWN


# --- which rows


def test_rows_outside_of_where_are_not_judged() -> None:
    body = ROWS + "expect: {each: row, where: row.ok, that: row.size <= 10}"
    seen = verdict(body, [row("a", ok=True, size=1), row("b", ok=False, size=99)])
    assert (seen.outcome, seen.judged) == (Outcome.PASS, 1)


def test_a_row_that_where_cannot_decide_is_never_skipped() -> None:
    body = ROWS + "expect: {each: row, where: row.ok, that: row.size <= 10}"
    for size in (1, 99):
        seen = verdict(body, [row("a", ok=True, size=1), row("b", size=size)])
        assert (seen.outcome, seen.undecided) == (Outcome.UNKNOWN, 1)


def test_where_that_leaves_nothing_is_no_pass() -> None:
    body = ROWS + "expect: {each: row, where: row.ok, that: row.size <= 10}"
    seen = verdict(body, [row("b", ok=False, size=1)])
    assert (seen.outcome, seen.reason) == (Outcome.NOT_APPLICABLE, "nothing to judge: none of them is concerned")


# --- joins


def joined(rows: list[dict[str, Any]], nodes: list[dict[str, Any]], *gaps: str, body: str = JOIN) -> Verdict:
    return verdict(body, rows, more={"node": fact("fake_node", nodes, gaps)})


def test_a_row_is_judged_with_the_row_it_is_joined_to() -> None:
    nodes = [{"broker": 1, "limit": 10}, {"broker": 2, "limit": 20}]
    assert joined([row("a", broker=2, size=15)], nodes).outcome is Outcome.PASS
    assert joined([row("a", broker=1, size=15)], nodes).outcome is Outcome.FAIL


def test_a_row_that_finds_nothing_to_join_is_unknown_and_says_what_is_missing() -> None:
    seen = joined([row("a", broker=3, size=1)], [{"broker": 1, "limit": 10}])
    assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "broker 3 is unknown: fake_node lists only 1")


def test_a_row_with_nothing_to_join_fails_where_the_rest_decides() -> None:
    body = NODES + "expect: {each: row, join: {node: {broker: broker}}, that: row.ok && row.size <= node.limit}"
    assert joined([row("a", broker=3, size=1, ok=False)], [], body=body).outcome is Outcome.FAIL


def test_an_incomplete_joined_fact_is_no_ground_for_a_pass() -> None:
    seen = joined([row("a", broker=1, size=1)], [{"broker": 1, "limit": 10}], "broker 2 did not answer")
    assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "broker 2 did not answer")


def test_a_key_that_is_not_known_joins_with_nothing_not_even_with_another_such_key() -> None:
    assert joined([row("a", size=1)], [{"limit": 10}]).outcome is Outcome.UNKNOWN


def test_two_rows_of_the_same_key_are_no_ground_for_a_verdict() -> None:
    nodes = [{"broker": 1, "limit": 0}, {"broker": 1, "limit": 10}]
    for ordered in (nodes, nodes[::-1]):
        seen = joined([row("a", broker=1, size=1)], ordered)
        assert (seen.outcome, seen.reason) == (
            Outcome.UNKNOWN,
            "fake_node lists broker 1 several times: which one counts is not clear",
        )


def test_a_joined_fact_without_meaning_makes_the_check_inapplicable() -> None:
    more = {"node": fact("fake_node", inapplicable="prod has no fake: bare metal")}
    seen = verdict(JOIN, [row("a", broker=1, size=1)], more=more)
    assert (seen.outcome, seen.reason) == (Outcome.NOT_APPLICABLE, "prod has no fake: bare metal")


# --- why a cell is not known, where the row says it


@pytest.mark.parametrize(
    "body",
    [
        "expect: {each: row, that: row.ok}",
        "expect: {each: row, where: row.ok, that: row.size > 0}",
        "expect: {all: row, that: 'row.ok.all(ok, ok)'}",
    ],
)
def test_what_the_row_says_of_why_a_cell_is_not_known_is_in_the_reason(body: str) -> None:
    seen = verdict(ROWS + body, [row("a", ok=True, size=1), row("broker 2 hung up", size=1)])
    assert seen.outcome is Outcome.UNKNOWN
    assert seen.reason.startswith("row.ok could not be found out")
    assert seen.reason.endswith(": broker 2 hung up")


def test_what_another_column_lacks_is_not_explained_by_it() -> None:
    seen = verdict(ROWS + "expect: {each: row, that: row.size > 0}", [row("a", ok=True), row("b")])
    assert seen.reason == "row.size could not be found out"
