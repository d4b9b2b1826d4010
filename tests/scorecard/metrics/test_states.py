"""What each check says in the last week."""

from collections.abc import Callable
from typing import Any

from runbook.scorecard.metrics import states
from runbook.scorecard.weekly import Weekly


def test_only_the_last_week_is_given_with_how_it_is_known(
    weekly: Callable[..., Weekly], rows_of: Callable[..., list[Any]]
) -> None:
    given = weekly(
        {"week": "2026-W46", "outcome": "fail"}, {"proof": "drilled"}, {"check": "ha/b", "outcome": "missing"}
    )
    assert rows_of(states.measure(given), "check", "outcome", "proof", "age_days") == [
        ("ha/a", "pass", "drilled", 3),
        ("ha/b", "missing", "observed", 3),
    ]
