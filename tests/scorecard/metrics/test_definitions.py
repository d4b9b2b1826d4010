"""Which checks say something else than the week before."""

from collections.abc import Callable
from typing import Any

from runbook.scorecard.metrics import definitions
from runbook.scorecard.weekly import Weekly

Make = Callable[..., Weekly]
Told = Callable[..., list[Any]]

COLUMNS = ("week", "check", "runbook", "environments", "runbook_version", "before_version")


def test_a_changed_definition_is_counted_once_for_each_environment(weekly: Make, told: Told) -> None:
    new = {"check_digest": "d2", "runbook_version": "1.1.0"}
    given = weekly(
        *[{"week": "2026-W46", "environment": one} for one in ("a", "b", "c")],
        *[{"environment": "a", "subject": link} | new for link in ("x→y", "y→x")],
        {"environment": "b"} | new,
        {"environment": "c"},
    )
    assert told(definitions.measure(given), *COLUMNS) == [("2026-W47", "ha/a", "ha", 2, "1.1.0", "1.0.0")]


def test_only_the_week_directly_before_is_compared_with(weekly: Make, told: Told) -> None:
    given = weekly({"week": "2026-W45"}, {"check_digest": "d2"}, {"check": "ha/new"})
    assert told(definitions.measure(given), *COLUMNS) == []
