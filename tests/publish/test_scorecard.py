"""Reading the scorecard's file."""

import json
from pathlib import Path
from typing import Any

import pytest

from runbook.model.scorecard import ALL
from runbook.publish.scorecard import Unreadable, read_scorecard


def _write(tmp_path: Path, card: Any) -> Path:
    file = tmp_path / "scorecard.json"
    file.write_text(json.dumps(card), encoding="utf-8")
    return file


def test_no_file_is_no_scorecard(tmp_path: Path) -> None:
    assert read_scorecard(tmp_path / "scorecard.json") is None


def test_the_cell_of_an_environment_is_that_of_all_severities_in_the_last_week(tmp_path: Path, card: Any) -> None:
    card["tables"]["scores"].insert(0, card["tables"]["scores"][0] | {"severity": "high", "score": 1.0})
    card["tables"]["scores"].insert(0, card["tables"]["scores"][1] | {"week": "2026-W46", "score": 2.0})
    read = read_scorecard(_write(tmp_path, card))
    assert read is not None
    cell = read.cell("broken", ALL)
    assert cell is not None
    assert (cell.score, cell.shown, cell.arrow) == (62.5, "fail", "↓ down 3.5")
    assert read.cell("elsewhere", ALL) is None


def test_the_weeks_of_an_environment_are_found_by_its_name(tmp_path: Path, card: Any) -> None:
    read = read_scorecard(_write(tmp_path, card))
    assert read is not None
    trend = read.trend("broken")
    assert trend is not None
    assert trend.score == [64.0, 66.0, None, 62.5]
    assert read.trend("healthy") is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 3}, "format 3, this version reads 2"),
        ({"format": 1, "tables": {}}, "format 1, this version reads 2"),
        ({"week": 47}, "is no scorecard"),
        ({"tables": {}}, "is no scorecard"),
    ],
)
def test_what_is_not_understood_is_refused(tmp_path: Path, card: Any, change: dict[str, Any], message: str) -> None:
    with pytest.raises(Unreadable, match=message):
        read_scorecard(_write(tmp_path, card | change))
