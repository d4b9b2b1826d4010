"""What fails in the last week, and since when."""

from collections.abc import Callable
from typing import Any

from runbook.scorecard.metrics import failing
from runbook.scorecard.weekly import Weekly


def test_what_fails_now_is_given_with_its_age_also_under_a_waiver(
    weekly: Callable[..., Weekly], rows_of: Callable[..., list[Any]]
) -> None:
    old = {"outcome": "fail", "since": "2026-11-04T06:00:00Z", "since_run": "first"}
    given = weekly(
        old,
        {"week": "2026-W46", "check": "ha/b"} | old,
        {"check": "ha/b", "outcome": "unknown"},
        {"check": "ha/c", "waived": True, "outcome": "fail", "since": "2026-11-20T13:00:00Z"},
    )
    columns = ("check", "waived", "since_at", "since_week", "since_run", "failing_days")
    assert rows_of(failing.measure(given), *columns) == [
        ("ha/a", False, "2026-11-04T06:00:00Z", "2026-W45", "first", 17),
        ("ha/c", True, "2026-11-20T13:00:00Z", "2026-W47", None, 0),
    ]
