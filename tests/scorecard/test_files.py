"""Tables appear all or none, and what a killed job left beside them goes with the next one."""

import fcntl
import os
import shutil
import time
from pathlib import Path

import pytest

from runbook.model.errors import UsageError
from runbook.scorecard import unchanged
from runbook.scorecard.files import folder_to_fill
from runbook.scorecard.request import Order
from runbook.scorecard.segments import Weeks


def leftover(out: Path, name: str, *, age: float) -> Path:
    """A folder as a job has it that is not done."""
    folder = out / f".unfinished-{name}"
    folder.mkdir(parents=True)
    (folder / "runs.parquet").write_text("half")
    os.utime(folder, times=(time.time() - age,) * 2)
    return folder


def test_what_a_killed_job_left_is_removed_and_what_a_living_one_fills_is_not(tmp_path: Path) -> None:
    dead = leftover(tmp_path, "dead", age=3600)
    living = leftover(tmp_path, "living", age=3600)
    begun = leftover(tmp_path, "begun", age=1)
    (tmp_path / ".unfinished-link").symlink_to(living)
    held = os.open(living, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    with folder_to_fill(tmp_path) as folder:
        (folder / "scorecard.json").write_text("whole")
        os.utime(folder, times=(0, 0))
        with folder_to_fill(tmp_path):  # a job beside it
            assert folder.is_dir()
    os.close(held)
    assert not dead.exists()
    assert living.is_dir()
    assert begun.is_dir()
    assert (tmp_path / ".unfinished-link").is_symlink()
    assert (tmp_path / "scorecard.json").read_text() == "whole"
    assert not folder.exists()


def test_a_job_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), folder_to_fill(tmp_path) as folder:
        (folder / "scorecard.json").write_bytes((folder / "nothing").read_bytes())
    assert list(tmp_path.iterdir()) == []


def test_a_leftover_of_a_clock_that_ran_ahead_is_one_too(tmp_path: Path) -> None:
    dead = leftover(tmp_path, "ahead", age=-365 * 86400)
    with folder_to_fill(tmp_path):
        assert not dead.exists()


def test_two_jobs_may_sweep_the_same_leftover(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dead = leftover(tmp_path, "dead", age=3600)
    opened = os.open

    def swept_first(path: Path, *arguments: int, **options: int) -> int:
        if path == dead:
            shutil.rmtree(dead, ignore_errors=True)
        return opened(path, *arguments, **options)

    monkeypatch.setattr(os, "open", swept_first)
    with folder_to_fill(tmp_path):
        assert not dead.exists()


@pytest.mark.parametrize("at", range(3))
def test_a_job_that_is_killed_while_tables_take_their_places_is_made_good_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """What it was made of is noted at the end: tables of two jobs do not pass for those of one."""
    order = Order(str(tmp_path / "store"), tmp_path / "out", "local[1]", 3, None, None, None, None)
    names = ("runs.parquet", "scorecard.json", "weeks.parquet")

    def make(word: str) -> None:
        with folder_to_fill(order.out) as folder:
            for name in names:
                (folder / name).write_text(word)

    now = unchanged.given(order)
    make("old")
    unchanged.note(order, now, names)
    assert unchanged.are_made(order, now)
    replace, left = Path.replace, at

    def killed(file: Path, target: Path) -> Path:
        nonlocal left
        if not left:
            raise KeyboardInterrupt
        left -= 1
        return replace(file, target)

    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        make("new")
    monkeypatch.undo()
    assert unchanged.are_made(order, now) == (at == 0)
    make("new")
    unchanged.note(order, now, names)
    assert {(order.out / name).read_text() for name in names} == {"new"}


class _Folder:
    """What stands for the folder of the weeks, and what another job removes as the manifest is written."""

    root = "file:/weeks"

    def __init__(self, removed: str = "") -> None:
        self.files: dict[str, bytes] = {}
        self.removed = removed

    def fill(self, name: str, content: bytes) -> None:
        self.files[name] = content

    def write(self, name: str, content: bytes) -> None:
        self.files[name] = content
        self.files.pop(self.removed, None)

    def has(self, name: str) -> bool:
        return name in self.files

    def delete(self, name: str) -> None:
        self.files = {file: content for file, content in self.files.items() if not file.startswith(f"{name}/")}


def test_a_segment_that_another_job_took_part_of_is_none() -> None:
    """A manifest was trusted whatever lay beside it: results that were removed meanwhile were missing silently."""
    weeks = Weeks.__new__(Weeks)
    weeks._tables, weeks._folder = {}, _Folder("2026-W47/v2-a/results.parquet")  # type: ignore[assignment]
    with pytest.raises(UsageError, match="results of week 2026-W47 went while it was written"):
        weeks.write("2026-W47", "v2-a", {"runs": b"r", "results": b"s"})
    assert weeks.weeks() == []
    assert weeks._folder.files == {}  # type: ignore[attr-defined]
    weeks._folder = _Folder()  # type: ignore[assignment]
    weeks.write("2026-W47", "v2-a", {"runs": b"r", "results": b"s"})
    assert weeks.weeks() == ["2026-W47"]
