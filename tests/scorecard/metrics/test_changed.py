"""What is new: newly failing, fixed, newly unknown, flapping."""

from collections.abc import Callable
from typing import Any

import pytest

from runbook.scorecard.metrics import changed
from runbook.scorecard.weekly import Weekly

Make = Callable[..., Weekly]
RowsOf = Callable[..., list[Any]]

LONG_AGO, LAST_WEEK, NOW = "2026-10-07T06:00:00Z", "2026-11-11T06:00:00Z", "2026-11-18T06:00:00Z"


def _points(*outcomes: tuple[str, str]) -> list[dict[str, str]]:
    return [{"at": at, "outcome": outcome} for at, outcome in outcomes]


@pytest.mark.parametrize(
    ("before", "known", "now", "news"),
    [
        ("pass", "pass", "fail", ["newly_failing"]),
        ("not_applicable", "not_applicable", "fail", ["newly_failing"]),
        (None, None, "fail", []),  # the first week of the environment: nothing to be newer than
        ("fail", "fail", "fail", []),
        ("unknown", "fail", "fail", []),
        ("unknown", "pass", "fail", ["newly_failing"]),
        ("missing", "fail", "pass", ["fixed"]),
        ("fail", "fail", "pass", ["fixed"]),
        ("fail", "fail", "not_applicable", []),
        (None, None, "pass", []),
        ("pass", "pass", "unknown", ["newly_unknown"]),
        ("fail", "fail", "missing", ["newly_unknown"]),
        ("unknown", "pass", "unknown", []),
        (None, None, "unknown", []),
    ],
)
def test_it_is_news_against_what_was_last_known(
    weekly: Make, rows_of: RowsOf, before: str | None, known: str | None, now: str, news: list[str]
) -> None:
    states = [{"outcome": now}] + ([{"week": "2026-W46", "outcome": before}] if before else [])
    points = _points((LAST_WEEK, known)) if known else []
    given = weekly(*states, changes=[*points, *_points((NOW, now))] if now in {"pass", "fail"} else points)
    assert rows_of(changed.measure(given), "change", "before", "now") == [(new, before, now) for new in news]


def test_a_check_that_is_new_in_an_environment_that_is_not_may_be_newly_failing(weekly: Make, rows_of: RowsOf) -> None:
    before = {"week": "2026-W46", "check": "ha/b"}
    given = weekly(before, {"check": "ha/b"}, {"outcome": "fail"}, {"outcome": "fail", "environment": "dev"})
    columns = ("environment", "check", "change", "before")
    assert rows_of(changed.measure(given), *columns) == [("prod", "ha/a", "newly_failing", None)]
    silent = weekly(before | {"silent": True, "outcome": "missing"}, {"outcome": "fail"})
    assert rows_of(changed.measure(silent), "change") == []


def test_a_silent_environment_has_nothing_newly_unknown(weekly: Make, rows_of: RowsOf) -> None:
    given = weekly({"week": "2026-W46"}, {"outcome": "missing", "silent": True})
    assert rows_of(changed.measure(given), "change") == []


def test_three_turns_in_four_weeks_are_flapping_whatever_it_says_now(weekly: Make, rows_of: RowsOf) -> None:
    turns = _points(
        ("2026-10-24T12:00:00Z", "fail"),  # 28 days before the card to the second: no longer counted
        ("2026-10-24T12:00:01Z", "pass"),
        ("2026-11-04T06:00:00Z", "fail"),
        (LAST_WEEK, "pass"),
    )
    given = weekly({"week": "2026-W46"}, {}, changes=[{"at": LONG_AGO, "outcome": "pass"}, *turns])
    assert rows_of(changed.measure(given), "change", "flips") == [("flapping", 3)]
    fewer = weekly({"week": "2026-W46"}, {}, changes=turns[1:])
    assert rows_of(changed.measure(fewer), "change") == []


def test_what_comes_to_apply_or_ceases_to_is_no_flapping(weekly: Make, rows_of: RowsOf) -> None:
    days = ("2026-11-01", "2026-11-03", "2026-11-05", "2026-11-07", LAST_WEEK[:10])
    said = ("pass", "not_applicable", "fail", "not_applicable", "pass")
    given = weekly(
        {}, changes=_points(*[(f"{day}T06:00:00Z", outcome) for day, outcome in zip(days, said, strict=True)])
    )
    assert rows_of(changed.measure(given), "change") == []


def test_what_is_no_longer_due_is_no_news(weekly: Make, rows_of: RowsOf) -> None:
    given = weekly({"check": "ha/b"}, changes=_points((LAST_WEEK, "fail")))
    assert rows_of(changed.measure(given), "change") == []
