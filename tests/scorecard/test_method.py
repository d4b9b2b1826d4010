"""The published method: its worked example is computed, and its numbers are those in force."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runbook.scorecard import method
from runbook.scorecard.job import roll_up

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "scorecard-method.md"
WEEKS = {"2026-W46": "2026-11-11T06:00:00Z", "2026-W47": "2026-11-18T06:00:00Z"}


def _tables() -> list[list[list[str]]]:
    blocks = re.findall(r"(?:^\|.*\n)+", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [
        [[cell.strip(" `") for cell in line.strip("|\n").split("|")] for line in block.splitlines()] for block in blocks
    ]


def test_the_worked_example_is_what_the_job_computes(
    tmp_path: Path, store_of: Callable[[Path], Any], monkeypatch: pytest.MonkeyPatch, java_home: Path | None
) -> None:
    given, computed = _tables()[1:3]
    checks = {row[0]: row for row in given[2:]}
    store = store_of(tmp_path / "store")
    monkeypatch.setitem(store.keep.__globals__, "SEVERITY", {check: row[1] for check, row in checks.items()})
    for number, at in enumerate(WEEKS.values(), start=2):
        store.keep("prod-eu", at, {check: row[number] for check, row in checks.items()})
    roll_up(str(store.folder), tmp_path / "out", java_home=java_home)
    rows = json.loads((tmp_path / "out" / "scorecard.json").read_text())["tables"]["scores"]
    for number, week in enumerate(WEEKS, start=1):
        (row,) = [one for one in rows if (one["week"], one["runbook"], one["severity"]) == (week, "ha", "*")]
        told = {line[0]: line[number].split("= ")[-1] for line in computed[2:]}
        assert told["score"] == str(row["score"])
        assert told["raw score"] == str(row["score_raw"])
        assert told["coverage"] == str(row["coverage"])
        assert told["change"].replace("none", "None") == str(row["change"])


def test_the_page_names_the_version_the_weights_and_the_least_coverage_in_force() -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    weights = ", ".join(f"{severity} {weight}" for severity, weight in method.WEIGHTS.items())
    assert f"This is version {method.VERSION} of the method" in text
    assert f"weighs by its severity: {weights}." in text
    assert f"Below {method.LEAST_COVERAGE:.0f} % there is no score" in text
