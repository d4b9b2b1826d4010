"""How walks stand, by their records."""

import os
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from runbook.procedure.walk_record import Ended, Entry, Paused
from runbook.procedure.walk_status import RECENT, recent_walks
from support.small_walks import AT, BEFORE, BEGUN, WHOLE, done, own_records, written


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder of records."""
    return own_records(tmp_path, monkeypatch)


def keeps(folder: Path, name: str, entries: list[Entry]) -> Path:
    path = folder / f"{name}.jsonl"
    path.write_bytes(written(entries, name))
    return path


@pytest.mark.parametrize(
    ("entries", "standing", "stage"),
    [
        ([BEGUN], "under way", ""),
        ([BEGUN, BEFORE, done(1)], "under way", "step 1"),
        ([BEGUN, BEFORE, Paused("ada", AT)], "paused", "before"),
        (WHOLE, "completed", "after"),
        ([BEGUN, BEFORE, Ended("given up", "ada", AT)], "given up", "before"),
    ],
)
def test_a_walk_stands_where_its_record_ends(home: Path, entries: list[Entry], standing: str, stage: str) -> None:
    keeps(home, "w", entries)
    [walk] = recent_walks([home])
    assert (walk.standing, walk.stage) == (standing, stage)
    assert (walk.walk, walk.word, walk.procedure, walk.by, walk.at) == ("w", "w", "small/move", "ada", AT)
    assert walk.environments == ["prod"]


def test_a_walk_from_one_environment_to_another_is_of_both(home: Path) -> None:
    keeps(home, "w", [replace(BEGUN, source="eu", environment="us", target="us")])
    [walk] = recent_walks([home])
    assert walk.environments == ["eu", "us"]


def test_a_record_in_another_folder_is_named_by_its_file(home: Path, tmp_path: Path) -> None:
    shared = keeps(tmp_path, "w", WHOLE)
    [walk] = recent_walks([home, tmp_path, tmp_path / "not-there"])
    assert walk.word == str(shared)


def test_the_newest_is_first_and_none_is_told_twice(home: Path) -> None:
    later = replace(BEGUN, walk="later", at="2026-11-22T03:00:00.000Z")
    keeps(home, "later", [later])
    keeps(home, "w", WHOLE)
    assert [walk.walk for walk in recent_walks([home, home])] == ["later", "w"]


def test_a_rehearsal_and_what_is_old_are_left_out(home: Path) -> None:
    keeps(home, "r", [replace(BEGUN, rehearsal=True)])
    old, young = keeps(home, "old", WHOLE), keeps(home, "young", [replace(BEGUN, walk="young")])
    for path, age in ((old, RECENT + 60), (young, RECENT - 60)):
        os.utime(path, (time.time() - age,) * 2)
    assert [walk.walk for walk in recent_walks([home])] == ["young"]
