"""A dated snapshot says what is missing: also who never sent anything, and who may be silent."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from runbook.evidence.snapshot import Snapshot, snapshot_path, write_snapshot
from runbook.model.run import Expected
from runbook.scorecard.job import roll_up

W52, W53, W01 = "2026-12-23T06:00:00Z", "2026-12-30T06:00:00Z", "2027-01-06T06:00:00Z"
CHECKS = [Expected(f"ha/{name}", "high", "c1", "ha", "1.0.0") for name in ("a", "b")]

Row = dict[str, Any]


def _expect(store: Path, at: str, environments: dict[str, list[str]]) -> Path:
    snapshot = Snapshot(at, "0", environments, CHECKS)
    file = store / snapshot_path(snapshot)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(write_snapshot(snapshot))
    return file


@pytest.fixture(scope="module")
def rolled(tmp_path_factory: pytest.TempPathFactory, store_of: Any, java_home: Path | None) -> Path:
    """Four environments; from the second week on a snapshot is in force, from the third week on another."""
    folder = tmp_path_factory.mktemp("due")
    store = store_of(folder / "store")
    for at in (W52, W53, W01):
        store.keep("prod", at, {"ha/a": "pass"})
    store.keep("retired", W52, {"ha/a": "pass"})
    store.keep("retired", W53, {"ha/a": "pass"})
    store.keep("guest", W52, {"ha/a": "pass"})
    store.keep("guest", W01, {"ha/a": "pass"})
    _expect(store.folder, "2026-12-29T00:00:00Z", {"prod": ["ha"], "never": ["ha"], "retired": ["ha"]})
    _expect(store.folder, "2027-01-04T00:00:00Z", {"prod": ["ha"], "never": ["ha"]})
    spoilt = _expect(store.folder, "2027-01-05T00:00:00Z", {"nobody": ["ha"]})
    spoilt.write_bytes(spoilt.read_bytes().replace(b"nobody", b"anyone"))
    roll_up(str(store.folder), folder / "out", java_home=java_home)
    return folder / "out"


@pytest.fixture(scope="module")
def scores(rolled: Path) -> dict[tuple[str, str], Row]:
    """(week, environment) -> the row of the whole environment."""
    rows = pq.read_table(rolled / "scores.parquet").to_pylist()
    return {(row["week"], row["environment"]): row for row in rows if row["runbook"] == row["severity"] == "*"}


def test_an_expected_environment_is_silent_though_it_never_sent_anything(scores: dict[tuple[str, str], Row]) -> None:
    for week in ("2026-W53", "2027-W01"):
        row = scores[week, "never"]
        assert (row["status"], row["missing"], row["last_run"]) == ("silent", 2, None)
    assert ("2026-W52", "never") not in scores


def test_what_left_the_next_snapshot_is_retired_and_not_silent(scores: dict[tuple[str, str], Row]) -> None:
    assert scores["2026-W53", "retired"]["status"] == "unknown"  # ha/b is missing
    assert ("2027-W01", "retired") not in scores


def test_who_is_in_no_snapshot_is_due_only_where_it_was_checked(scores: dict[tuple[str, str], Row]) -> None:
    assert ("2026-W53", "guest") not in scores
    assert scores["2027-W01", "guest"]["score"] == 100.0


def test_an_expected_check_that_the_run_did_not_judge_is_missing(scores: dict[tuple[str, str], Row]) -> None:
    assert (scores["2027-W01", "prod"]["passed"], scores["2027-W01", "prod"]["missing"]) == (1, 1)
    assert scores["2026-W52", "prod"]["missing"] == 0  # nobody had said then what was expected


def test_a_spoilt_snapshot_is_set_aside_and_expects_nothing(rolled: Path, scores: dict[tuple[str, str], Row]) -> None:
    (aside,) = json.loads((rolled / "scorecard.json").read_text())["quarantine"]
    assert aside["file"].startswith("expected/2027-01-05/")
    assert "not what was written there" in aside["reason"]
    assert {environment for _, environment in scores} == {"prod", "never", "retired", "guest"}
