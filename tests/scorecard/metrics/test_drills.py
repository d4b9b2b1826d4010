"""Drills that are due."""

from collections.abc import Callable
from typing import Any

from runbook.scorecard.metrics import drills
from runbook.scorecard.weekly import Weekly


def test_what_rests_on_a_drill_and_does_not_pass_is_due(
    weekly: Callable[..., Weekly], rows_of: Callable[..., list[Any]]
) -> None:
    drilled = {"check": "dr/restore", "proof": "drilled"}
    given = weekly(
        drilled | {"environment": "fails", "outcome": "fail"},
        drilled | {"environment": "unsure", "outcome": "unknown"},
        drilled | {"environment": "passes"},
        drilled | {"environment": "without", "outcome": "not_applicable"},
        drilled | {"environment": "gone", "outcome": "missing", "proof": None},
        {"environment": "fails", "outcome": "fail"},
    )
    assert rows_of(drills.measure(given), "environment", "check", "outcome") == [
        ("fails", "dr/restore", "fail"),
        ("gone", "dr/restore", "missing"),
        ("unsure", "dr/restore", "unknown"),
    ]


def test_an_earlier_week_tells_that_a_check_rests_on_a_drill(
    weekly: Callable[..., Weekly], rows_of: Callable[..., list[Any]]
) -> None:
    given = weekly({"week": "2026-W46", "proof": "drilled"}, {"outcome": "missing", "proof": None})
    assert rows_of(drills.measure(given), "check") == ["ha/a"]
