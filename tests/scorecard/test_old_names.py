"""Checks are renamed between two rounds: one history goes on, and compacted weeks of before stay as they are."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from runbook.evidence.snapshot import Snapshot, snapshot_path, write_snapshot
from runbook.model.run import DeclaredWaiver, Expected, Head
from runbook.scorecard import job
from runbook.scorecard.job import roll_up

W52, W53, W01 = "2026-12-23T06:00:00Z", "2026-12-30T06:00:00Z", "2027-01-06T06:00:00Z"
NAMES = {"ha/old": "ha/a", "ha/older": "ha/b"}


def _keep(store: Any, at: str, first: str, second: str) -> None:
    heads = [Head("prod", waivers=[DeclaredWaiver(second, "ann", "new disks", "2027-03-01", {}, needed=True)])]
    store.keep("prod", at, {first: "fail", second: "waived", "ha/c": "pass"}, heads=heads)
    expected = [Expected(name, "high", "c1", "ha", "1.0.0") for name in (first, second, "ha/c")]
    snapshot = Snapshot(at, "0", {"prod": ["ha"], "never": ["ha"]}, expected)
    file = store.folder / snapshot_path(snapshot)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(write_snapshot(snapshot))


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], None]:
    return lambda names: monkeypatch.setattr(job, "old_names_in_force", lambda: names)


def _card(out: Path) -> dict[str, Any]:
    card: dict[str, Any] = json.loads((out / "scorecard.json").read_text())
    states = pq.read_table(out / "states.parquet").to_pylist()
    return card["tables"] | {"states": states, "quarantine": card["quarantine"]}


def _same(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without what says how a file of evidence reads, and in whose words."""
    return [{name: value for name, value in row.items() if name not in {"reason", "title"}} for row in rows]


def test_the_history_under_the_old_name_goes_on_under_the_present_one(
    tmp_path: Path, store_of: Callable[[Path], Any], java_home: Path | None, names: Callable[[dict[str, str]], None]
) -> None:
    renamed, never = store_of(tmp_path / "renamed"), store_of(tmp_path / "never")
    names({})
    for at in (W52, W53):
        _keep(renamed, at, "ha/old", "ha/older")
        _keep(never, at, "ha/a", "ha/b")
    roll_up(str(renamed.folder), tmp_path / "before", java_home=java_home)  # weeks are compacted under old names
    for store in (renamed, never):
        _keep(store, W01, "ha/a", "ha/b")
    roll_up(str(never.folder), tmp_path / "plain", java_home=java_home)
    names(NAMES)
    done = roll_up(str(renamed.folder), tmp_path / "out", java_home=java_home)
    assert done.work["new_files"] == 1
    here, plain = _card(tmp_path / "out"), _card(tmp_path / "plain")
    assert {table: _same(rows) for table, rows in here.items()} == {table: _same(rows) for table, rows in plain.items()}
    (failing,) = [row for row in here["failing"] if row["check"] == "ha/a"]
    assert failing["since_week"] == "2026-W52"
    assert here["definitions"] == []


def test_tables_do_not_stand_once_a_check_has_another_name(
    tmp_path: Path, store_of: Callable[[Path], Any], java_home: Path | None, names: Callable[[dict[str, str]], None]
) -> None:
    store = store_of(tmp_path / "store")
    _keep(store, W01, "ha/old", "ha/older")
    names({})
    assert not roll_up(str(store.folder), tmp_path / "out", java_home=java_home).stands
    assert roll_up(str(store.folder), tmp_path / "out", java_home=java_home).stands
    names(NAMES)
    assert not roll_up(str(store.folder), tmp_path / "out", java_home=java_home).stands
    assert {row["check"] for row in _card(tmp_path / "out")["states"]} == {"ha/a", "ha/b", "ha/c"}
