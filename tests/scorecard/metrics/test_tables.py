"""Metrics become tables: side by side, whole in Parquet, and as much as they say in the card."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from runbook.model.errors import UsageError
from runbook.scorecard import tables
from runbook.scorecard.metrics import coverage, score
from runbook.scorecard.weekly import Weekly

Make = Callable[..., Weekly]


class _Metrics:
    """A room with some metrics in it."""

    def __init__(self, **metrics: ModuleType) -> None:
        self._metrics = metrics

    def names(self) -> list[str]:
        return list(self._metrics)

    def load(self, name: str) -> ModuleType:
        return self._metrics[name]


def _like_score(**changed: object) -> ModuleType:
    other = ModuleType("other")
    vars(other).update({name: getattr(score, name) for name in ("TABLE", "KEYS", "SHOWN", "measure")} | changed)
    return other


def test_metrics_of_one_table_stand_side_by_side_sorted_by_what_identifies_a_row(
    weekly: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "catalog", lambda _: _Metrics(score=score, coverage=coverage))
    given = weekly({"environment": "b"}, {"environment": "a"}, {"environment": "a", "week": "2026-W46"})
    texts: list[str] = []
    made = tables.tables_of(given, texts.append)
    assert list(made) == ["scores"]
    rows = made["scores"].rows.where("runbook = '*'").collect()
    assert [(row["week"][-2:], row["environment"], row["score"], row["coverage"]) for row in rows] == [
        ("46", "a", 100.0, 100.0),
        ("47", "a", 100.0, 100.0),
        ("47", "b", 100.0, 100.0),
    ]
    assert texts == ["measuring score", "measuring coverage"]


@pytest.mark.parametrize(
    ("shown", "weeks"), [("all", {"2026-W46", "2026-W47"}), ("latest", {"2026-W47"}), ("none", set())]
)
def test_the_card_shows_as_much_as_the_table_says(tmp_path: Path, shown: tables.Shown, weeks: set[str]) -> None:
    pq.write_table(pa.table({"week": ["2026-W46", "2026-W47"]}), tmp_path / "scores.parquet")
    assert {row["week"] for row in tables.in_the_card(tmp_path / "scores.parquet", shown, "2026-W47")} == weeks


@pytest.mark.parametrize("changed", [{"KEYS": ("week",)}, {"SHOWN": "all"}, {"ORDER": ("score",)}])
def test_metrics_that_do_not_agree_on_their_table_are_refused(
    weekly: Make, monkeypatch: pytest.MonkeyPatch, changed: dict[str, object]
) -> None:
    monkeypatch.setattr(tables, "catalog", lambda _: _Metrics(score=score, other=_like_score(**changed)))
    with pytest.raises(UsageError, match="the metric other has other KEYS, ORDER or SHOWN"):
        tables.tables_of(weekly({}), lambda _: None)


def test_a_metric_that_wants_something_shown_that_there_is_not_is_refused(
    weekly: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "catalog", lambda _: _Metrics(other=_like_score(SHOWN="sometimes")))
    with pytest.raises(UsageError, match="write one of all, latest, none"):
        tables.tables_of(weekly({}), lambda _: None)
