"""A score's difference from that of the week before, and whether they can be compared."""

from collections.abc import Callable
from typing import Any

from runbook.scorecard.metrics import difference
from runbook.scorecard.weekly import Weekly

Make = Callable[..., Weekly]
RowsOf = Callable[..., list[Any]]


def _of(weekly: Weekly, rows_of: RowsOf) -> list[Any]:
    return rows_of(difference.measure(weekly).where("runbook = '*'"), "week", "change", "redefined")


def test_the_score_of_the_week_before_is_subtracted(weekly: Make, rows_of: RowsOf) -> None:
    states = [{"week": "2026-W46"}, {"week": "2026-W46", "check": "ha/b", "outcome": "fail"}, {}, {"check": "ha/b"}]
    assert _of(weekly(*states), rows_of) == [("2026-W46", None, False), ("2026-W47", 50.0, False)]


def test_a_week_without_a_row_is_not_skipped(weekly: Make, rows_of: RowsOf) -> None:
    given = weekly({"week": "2026-W45", "outcome": "fail"}, {"check_digest": "d2"})
    assert _of(given, rows_of) == [("2026-W45", None, False), ("2026-W47", None, False)]


def test_another_definition_or_another_check_is_marked(weekly: Make, rows_of: RowsOf) -> None:
    other = weekly({"week": "2026-W46"}, {"check_digest": "d2"})
    more = weekly({"week": "2026-W46"}, {}, {"check": "ha/b"})
    marked = [("2026-W46", None, False), ("2026-W47", 0.0, True)]
    assert (_of(other, rows_of), _of(more, rows_of)) == (marked, marked)
