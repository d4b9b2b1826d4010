"""What is declared as an exception, and for how long."""

from collections.abc import Callable
from typing import Any

import pytest

from runbook.scorecard.metrics import waivers
from runbook.scorecard.weekly import Weekly

Make = Callable[..., Weekly]
RowsOf = Callable[..., list[Any]]


@pytest.mark.parametrize(
    ("expires", "needed", "state", "days"),
    [
        ("2026-11-20", True, "expired", -1),
        ("2026-11-20", False, "expired", -1),
        ("2026-11-21", True, "expiring", 0),  # it holds to the end of the day
        ("2026-12-05", True, "expiring", 14),
        ("2026-12-06", True, "in_force", 15),
        ("2026-11-25", False, "unused", 4),
        ("2027-01-31", False, "unused", 71),
    ],
)
def test_a_waiver_is_in_force_expiring_expired_or_unused(
    weekly: Make, rows_of: RowsOf, expires: str, *, needed: bool, state: str, days: int
) -> None:
    table = waivers.measure(weekly(waivers=[{"expires": expires, "needed": needed}]))
    assert rows_of(table, "state", "days_left") == [(state, days)]


def test_one_that_is_declared_twice_is_listed_once(weekly: Make, rows_of: RowsOf) -> None:
    given = weekly(waivers=[{"needed": False}, {}, {"rows": "topic=orders"}])
    assert rows_of(waivers.measure(given), "rows", "state") == [("", "in_force"), ("topic=orders", "in_force")]
