import datetime as dt
from typing import Any

import pytest

from runbook.judge.judge import judge
from runbook.judge.waiver import Waived, apply_waivers
from runbook.model.column import Column
from runbook.model.fact import Gap
from runbook.model.result import JudgedRow, Outcome, Verdict, WaiverUse
from runbook.parse.inventory import Waiver
from support.small_runbooks import ROWS, compiled, context, fact

NOW = dt.datetime(2026, 11, 21, 12, tzinfo=dt.UTC)
COLUMNS = (
    Column("name", "string", "Topic.", key=True, entity="topic"),
    Column("broker", "int", "Broker.", key=True, entity="broker"),
)


def waiver(check: str = "ha/x", owner: str = "alice", expires: str = "2026-12-31", **rows: str) -> Waiver:
    return Waiver(check, owner, "the move to new disks", expires, rows)


def failing(*names: str, failed: int | None = None) -> Verdict:
    rows = [JudgedRow({"name": name, "broker": i}, "bad") for i, name in enumerate(names)]
    return Verdict(Outcome.FAIL, "bad", rows, judged=9, failed=len(rows) if failed is None else failed)


def applied(verdict: Verdict, *waivers: Waiver) -> Waived:
    return apply_waivers("ha/x", verdict, COLUMNS, waivers, NOW)


def excused(waived: Waived, verdict: Verdict) -> bool:
    return waived.use is not None and waived.use.rows == verdict.failed


def test_a_waiver_for_a_check_excuses_all_of_it() -> None:
    verdict = failing("a", "b")
    waived = applied(verdict, waiver())
    assert excused(waived, verdict)
    assert [row.waived for row in waived.rows] == [True, True]
    assert (waived.use.owner, waived.use.expires) == ("alice", "2026-12-31") if waived.use else False


@pytest.mark.parametrize("rows", [{"name": "a*"}, {"topic": "a*"}, {"topic": "a*", "broker": "0"}])
def test_a_waiver_may_name_rows_by_column_or_entity(rows: dict[str, str]) -> None:
    verdict = failing("a1", "b")
    waived = applied(verdict, waiver(**rows))
    assert [row.waived for row in waived.rows] == [True, False]
    assert waived.use == WaiverUse("alice", "the move to new disks", "2026-12-31", 1)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ({"topc": "*"}, 'its rows: names "topc"; did you mean topic? known: broker, name, topic'),
        ({"nowhere": "*", "topic": "a1"}, 'its rows: names "nowhere"; known: broker, name, topic'),
    ],
)
def test_a_waiver_that_names_no_column_is_told_what_was_meant(rows: dict[str, str], why: str) -> None:
    waived = applied(failing("a1", "b"), waiver(**rows))
    assert (waived.use, waived.notes) == (None, [f"the waiver of alice for ha/x excuses nothing: {why}"])
    whole = apply_waivers("ha/x", failing(), (), [waiver(topic="a")], NOW)
    assert whole.notes[0].endswith('names "topic"; the check has no rows to name; leave rows: out')


@pytest.mark.parametrize("rows", [{"topic": "A*"}, {"topic": "a1", "broker": "7"}])
def test_a_waiver_of_rows_that_do_not_fail_is_shown_as_not_needed(rows: dict[str, str]) -> None:
    waived = applied(failing("a1", "b"), waiver(**rows))
    assert waived.use is None
    assert waived.notes == ["the waiver of alice for ha/x is not needed: nothing it names fails"]


def test_an_entity_is_that_of_the_key_whatever_other_columns_name_it() -> None:
    columns = (*COLUMNS, Column("other", "string", "Another topic.", entity="topic"))
    verdict = failing("a1", "b")
    waived = apply_waivers("ha/x", verdict, columns, [waiver(topic="a*")], NOW)
    assert [row.waived for row in waived.rows] == [True, False]


def test_a_waiver_that_is_not_needed_does_not_stand_before_the_next() -> None:
    needed = waiver(owner="bob", topic="a")
    waived = applied(failing("a", "b"), waiver(topic="z"), needed)
    assert waived.use == WaiverUse("bob", "the move to new disks", "2026-12-31", 1)
    assert waived.needed == [needed]


def test_several_waivers_may_excuse_everything_together() -> None:
    verdict = failing("a", "b")
    assert excused(applied(verdict, waiver(topic="a"), waiver(owner="bob", topic="b")), verdict)


def test_rows_that_could_not_be_judged_are_not_waived() -> None:
    verdict = Verdict(Outcome.UNKNOWN, "?", [JudgedRow({"name": "a"}, "?", "unknown")], judged=1, undecided=1)
    waived = applied(verdict, waiver())
    assert (waived.use, waived.rows) == (None, verdict.rows)


@pytest.mark.parametrize(("expires", "holds"), [("2026-11-20", False), ("2026-11-21", True), ("2026-11-22", True)])
def test_a_waiver_holds_to_the_end_of_its_last_day_in_utc(expires: str, *, holds: bool) -> None:
    verdict = failing("a")
    waived = applied(verdict, waiver(expires=expires))
    assert excused(waived, verdict) is holds
    assert bool(waived.notes) is not holds
    if not holds:
        assert waived.notes == [f"the waiver of alice for ha/x expired on {expires}"]


def test_a_waiver_for_another_check_does_nothing() -> None:
    waived = applied(failing("a"), waiver("ha/y"))
    assert (waived.use, waived.notes) == (None, [])


def test_a_failure_of_which_not_all_rows_are_kept_is_not_excused_by_rows() -> None:
    verdict = failing("a1", "a2", failed=5000)
    assert not excused(applied(verdict, waiver(topic="a*")), verdict)
    assert excused(applied(verdict, waiver()), verdict)


@pytest.mark.usefixtures("fakes")
def test_one_waived_row_of_a_disagreement_does_not_excuse_the_others() -> None:
    body = ROWS + "expect: {same: row, by: [ok], value: [size]}"
    rows: list[dict[str, Any]] = [{"name": f"t{i}", "ok": True, "size": i} for i in range(3)]
    check = compiled(body)
    verdict = judge(check, {"row": fact("fake_row", rows)}, context())
    assert (verdict.failed, len(verdict.rows)) == (1, 3)
    waived = apply_waivers("ha/x", verdict, check.columns, [waiver(topic="t1")], NOW)
    assert not excused(waived, verdict)
    every = apply_waivers("ha/x", verdict, check.columns, [waiver(topic="t*")], NOW)
    assert excused(every, verdict)


def test_whether_a_waiver_of_an_unknown_check_is_needed_nobody_knows() -> None:
    for rows in ({}, {"topic": "a1"}):
        waived = applied(Verdict(Outcome.UNKNOWN, "not asked"), waiver(**rows))
        assert (waived.use, waived.notes, waived.needed) == (None, [], [waiver(**rows)])
    for outcome in (Outcome.PASS, Outcome.NOT_APPLICABLE):
        assert applied(Verdict(outcome, ""), waiver()).needed == []
    assert applied(Verdict(Outcome.UNKNOWN, "not asked"), waiver(expires="2026-11-20")).needed == []
    assert applied(Verdict(Outcome.UNKNOWN, "not asked"), waiver(topc="a")).needed == []


def test_nor_of_a_failing_check_whose_other_rows_could_not_be_judged_or_seen() -> None:
    bad, doubtful = JudgedRow({"name": "a", "broker": 1}, "bad"), JudgedRow({"name": "b", "broker": 1}, "?", "unknown")
    unsure = Verdict(Outcome.FAIL, "bad", [bad, doubtful], judged=9, failed=1, undecided=1)
    gap = Verdict(Outcome.FAIL, "bad", [bad], judged=9, failed=1, gaps=[Gap("broker 2 did not answer", {"broker": 2})])
    many = Verdict(Outcome.FAIL, "bad", [bad], judged=900, failed=500)
    for verdict in (unsure, gap, many):
        waived = applied(verdict, waiver(topic="b"))
        assert (waived.use, waived.notes, waived.needed) == (None, [], [waiver(topic="b")])
    [note] = applied(unsure, waiver(topic="c")).notes
    assert note == "the waiver of alice for ha/x is not needed: nothing it names fails"
    assert applied(gap, waiver(topc="b")).needed == []
