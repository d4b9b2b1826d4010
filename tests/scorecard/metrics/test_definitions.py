"""Which checks say something else than the week before."""

from collections.abc import Callable
from typing import Any

from runbook.scorecard.metrics import definitions
from runbook.scorecard.weekly import Weekly

COLUMNS = ("week", "check", "runbook", "environments", "runbook_version", "before_version")


def test_a_changed_definition_is_counted_in_environments_with_the_versions_of_the_first(
    weekly: Callable[..., Weekly], rows_of: Callable[..., list[Any]]
) -> None:
    changed = {"week": "2026-W47", "check": "ha/a", "runbook": "ha", "before_version": "1.0.0"}
    given = weekly(
        redefined=[
            changed | {"environment": "b", "runbook_version": "1.2.0"},
            changed | {"environment": "a", "runbook_version": "1.1.0"},
            changed | {"environment": "a", "runbook_version": "1.1.0", "week": "2026-W46"},
        ]
    )
    assert rows_of(definitions.measure(given), *COLUMNS) == [
        ("2026-W46", "ha/a", "ha", 1, "1.1.0", "1.0.0"),
        ("2026-W47", "ha/a", "ha", 2, "1.1.0", "1.0.0"),
    ]
