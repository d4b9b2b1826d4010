"""A row for each line of a plot, an entry for each week."""

from collections.abc import Callable
from typing import Any

from runbook.scorecard.metrics import trend
from runbook.scorecard.weekly import Weekly

Make = Callable[..., Weekly]
RowsOf = Callable[..., list[Any]]


def test_lists_have_an_entry_for_every_week_the_oldest_first(weekly: Make, rows_of: RowsOf) -> None:
    given = weekly(
        {"week": "2026-W44"},
        {"week": "2026-W46", "check_digest": "d2"},
        {"check_digest": "d3", "outcome": "fail"},
        {"environment": "new", "outcome": "unknown"},
    )
    columns = ("environment", "weeks", "status", "score", "score_raw", "coverage", "redefined", "failed", "waived")
    weeks = ["2026-W44", "2026-W45", "2026-W46", "2026-W47"]
    assert rows_of(trend.measure(given).where("runbook = '*'"), *columns) == [
        (
            "new",
            weeks,
            ["none"] * 3 + ["unknown"],
            [None] * 4,
            [None] * 4,
            [None, None, None, 0.0],
            [None] * 3 + [False],
            *([None] * 3 + [0],) * 2,
        ),
        (
            *("prod", weeks, ["scored", "none", "scored", "scored"]),
            *([100.0, None, 100.0, 0.0], [100.0, None, 100.0, 0.0], [100.0, None, 100.0, 100.0]),
            *([False, None, False, True], [0, None, 0, 1], [0, None, 0, 0]),
        ),
    ]


def test_it_ends_with_the_week_of_the_card_even_if_nothing_is_known_of_it(weekly: Make, rows_of: RowsOf) -> None:
    table = trend.measure(weekly({"week": "2026-W46"}))
    assert rows_of(table, "runbook", "weeks", "status") == [
        ("*", ["2026-W46", "2026-W47"], ["scored", "none"]),
        ("ha", ["2026-W46", "2026-W47"], ["scored", "none"]),
    ]
