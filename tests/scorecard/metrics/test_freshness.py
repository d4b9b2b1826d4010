"""The age of the newest scored run, at the end of the week or now."""

from collections.abc import Callable
from typing import Any

from runbook.scorecard.metrics import freshness
from runbook.scorecard.weekly import Weekly

Make = Callable[..., Weekly]
RowsOf = Callable[..., list[Any]]


def test_the_newest_scored_run_of_the_group_is_named_with_whole_days(weekly: Make, rows_of: RowsOf) -> None:
    given = weekly(
        {"last_run": "new", "last_at": "2026-11-19T13:00:00Z"},
        {"check": "gc/a", "last_run": "old", "last_at": "2026-11-16T00:00:00Z"},
    )
    assert rows_of(freshness.measure(given).where("severity = '*'"), "runbook", "last_run", "last_at", "age_days") == [
        ("*", "new", "2026-11-19T13:00:00Z", 1),
        ("gc", "old", "2026-11-16T00:00:00Z", 5),
        ("ha", "new", "2026-11-19T13:00:00Z", 1),
    ]


def test_in_a_week_gone_by_the_age_is_that_at_its_end(weekly: Make, rows_of: RowsOf) -> None:
    given = weekly({"week": "2026-W46", "last_at": "2026-11-11T06:00:00Z"})
    assert rows_of(freshness.measure(given).where("runbook = '*'"), "age_days") == [4]


def test_without_any_scored_run_there_is_no_age(weekly: Make, rows_of: RowsOf) -> None:
    given = weekly({"last_run": None, "last_at": None})
    assert rows_of(freshness.measure(given).where("runbook = '*'"), "last_run", "last_at", "age_days") == [(None,) * 3]
