"""A check over all environments."""

from collections.abc import Callable
from typing import Any

import pytest

from runbook.scorecard.metrics import checks
from runbook.scorecard.weekly import Weekly

Make = Callable[..., Weekly]
RowsOf = Callable[..., list[Any]]


def test_the_states_of_the_last_week_are_counted(weekly: Make, rows_of: RowsOf) -> None:
    said = ("pass", "fail", "fail", "unknown", "missing", "not_applicable")
    since = "2026-11-18T06:00:00Z"
    states = [
        {"environment": f"e{at}", "outcome": outcome, "waived": at == 2, "since": since if outcome == "fail" else None}
        for at, outcome in enumerate(said)
    ]
    given = weekly({"week": "2026-W46", "environment": "e0"}, *states)
    columns = ("check", "runbook", "title", "applicable", "passing", "failing", "waived", "unknown", "fixes")
    assert rows_of(checks.measure(given), *columns) == [("ha/a", "ha", "ha/a holds", 5, 1, 1, 1, 2, 0)]


def test_who_fails_is_listed_the_longest_first(weekly: Make, rows_of: RowsOf) -> None:
    given = weekly(
        {"environment": "young", "outcome": "fail", "since": "2026-11-18T06:00:00Z"},
        {"environment": "z-old", "outcome": "fail", "since": "2026-10-07T06:00:00Z", "waived": True},
        {"environment": "well", "severity": "critical"},
    )
    old = {"environment": "z-old", "subject": "z-old", "since_week": "2026-W41", "failing_days": 45, "waived": True}
    young = {"environment": "young", "subject": "young", "since_week": "2026-W47", "failing_days": 3, "waived": False}
    assert rows_of(checks.measure(given), "failing_in", "oldest_days", "severity") == [([old, young], 45, "critical")]


@pytest.mark.parametrize(
    ("hours", "median"), [([], None), ([36], 1.5), ([24, 240], 1.0), ([24, 48, 240], 2.0), ([47], 1.9)]
)
def test_the_median_time_to_fix_is_one_that_occurred_and_of_two_the_shorter(
    weekly: Make, rows_of: RowsOf, hours: list[int], median: float | None
) -> None:
    changes = []
    for at, took in enumerate(hours):
        place = {"environment": f"e{at}"}
        fixed = f"2026-11-{1 + took // 24:02}T{took % 24:02}:00:00Z"
        changes += [place | {"at": "2026-11-01T00:00:00Z", "outcome": "fail"}, place | {"at": fixed, "outcome": "pass"}]
    table = checks.measure(weekly({}, changes=changes))
    assert rows_of(table, "fixes", "median_fix_days") == [(len(hours), median)]


def test_a_failure_that_ends_because_nothing_applies_any_more_is_not_fixed(weekly: Make, rows_of: RowsOf) -> None:
    said = ("fail", "not_applicable", "pass")
    changes = [{"at": f"2026-11-0{day}T00:00:00Z", "outcome": outcome} for day, outcome in enumerate(said, start=1)]
    assert rows_of(checks.measure(weekly({}, changes=changes)), "fixes", "median_fix_days") == [(0, None)]
