"""Coverage counts verdicts, and does not weigh them."""

from collections.abc import Callable
from typing import Any

from runbook.scorecard.metrics import coverage
from runbook.scorecard.weekly import Weekly


def test_each_state_is_counted_once_and_what_does_not_apply_is_not_covered(
    weekly: Callable[..., Weekly], rows_of: Callable[..., list[Any]]
) -> None:
    said = ("pass", "pass", "fail", "fail", "unknown", "missing", "not_applicable", "unknown")
    states = [
        {"check": f"ha/{at}", "outcome": outcome, "waived": at == 3, "unobserved": at == 7}
        for at, outcome in enumerate(said)
    ]
    table = coverage.measure(weekly(*states)).where("runbook = '*'")
    kinds = ("passed", "failed", "waived", "unknown", "unobserved", "missing", "not_applicable")
    assert rows_of(table, *kinds, "expected", "coverage") == [(2, 1, 1, 1, 1, 1, 1, 8, 57.1)]  # 4 of 7


def test_severity_does_not_weigh(weekly: Callable[..., Weekly], rows_of: Callable[..., list[Any]]) -> None:
    given = weekly({"severity": "critical"}, {"check": "ha/b", "severity": "info", "outcome": "unknown"})
    assert rows_of(coverage.measure(given).where("runbook = '*'"), "coverage") == [50.0]


def test_where_nothing_applies_there_is_no_coverage(
    weekly: Callable[..., Weekly], rows_of: Callable[..., list[Any]]
) -> None:
    assert rows_of(coverage.measure(weekly({"outcome": "not_applicable"})), "coverage") == [None] * 3
