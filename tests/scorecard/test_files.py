"""Tables appear all or none, and what a killed job left beside them goes with the next one."""

import fcntl
import os
import time
from pathlib import Path

import pytest

from runbook.scorecard.files import folder_to_fill


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
