"""New evidence is compacted once: what is known is not read again, whatever happens in between."""

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from runbook.evidence import reading
from runbook.evidence.chain import chained
from runbook.model.errors import UsageError
from runbook.scorecard import compaction, hadoop
from runbook.scorecard.job import roll_up
from runbook.scorecard.request import RollUpSummary
from runbook.scorecard.unchanged import NOTE

W52, W53, W01 = "2026-12-23T06:00:00Z", "2026-12-30T06:00:00Z", "2027-01-06T06:00:00Z"

Rolled = Callable[..., RollUpSummary]

KILLED = """
import os, signal, sys
from pathlib import Path
from runbook.scorecard import compaction, hadoop
from runbook.scorecard.job import roll_up
left = int(sys.argv[3])
fill = hadoop.HadoopFolder.fill
def dying(self, name, content):
    global left
    left -= 1
    fill(self, name, content if left >= 0 else content[: len(content) // 2])
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
hadoop.HadoopFolder.fill = dying
roll_up(sys.argv[1], Path(sys.argv[2]), java_home=Path(sys.argv[4]) if sys.argv[4] else None)
"""


@pytest.fixture
def rolled(tmp_path: Path, java_home: Path | None) -> Rolled:
    """Roll `store` up into `out`."""

    def roll(store: str = "store", out: str = "out", **options: Any) -> RollUpSummary:
        return roll_up(str(tmp_path / store), tmp_path / out, java_home=java_home, **options)

    return roll


def _tree(folder: Path) -> dict[str, str]:
    """All that was made; the note beside it is of these very files, and of the times at which they were written."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file() and file.name != NOTE
    }


def _rewrite(file: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    records = [json.loads(line) for line in file.read_bytes().splitlines()]
    for record in records:
        del record["chain"]
    change(records)
    file.write_bytes(b"".join(line + b"\n" for line in chained(records)))


def test_only_what_is_new_is_read_and_late_evidence_is_a_new_segment_in_its_week(
    tmp_path: Path, store_of: Any, rolled: Rolled
) -> None:
    store = store_of(tmp_path / "store")
    old = [store.keep("prod", at, {"ha/a": "fail"}) for at in (W52, W01)]
    first = rolled()
    assert first.work == {"new_files": 2, "segments": 2, "summaries": 2}
    for file in old:
        # As long as before, and no evidence any more: who read it would set it aside.
        file.write_bytes(b"x" * file.stat().st_size)
    store.keep("prod", "2026-12-24T06:00:00Z", {"ha/a": "pass"})
    second = rolled()
    assert second.work == {"new_files": 1, "segments": 1, "summaries": 1}
    assert (second.counts["runs"], second.counts["quarantined"]) == (3, 0)
    assert len(list((tmp_path / "store" / "weeks" / "2026-W52").glob("v2-*"))) == 2
    (row,) = pq.read_table(tmp_path / "out" / "failing.parquet").to_pylist()
    assert row["since_at"] == W01  # the late pass ended the failing that began in the week before


def test_a_week_of_more_than_a_worker_holds_becomes_several_segments(
    tmp_path: Path, store_of: Any, rolled: Rolled, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = store_of(tmp_path / "store")
    days = [f"2027-01-0{day}T06:00:00Z" for day in (4, 5, 6)]
    for at, outcome in zip(days, ("pass", "fail", "fail"), strict=True):
        store.keep("prod", at, {"ha/a": outcome})
    whole = rolled(out="whole", weeks_dir=str(tmp_path / "whole-weeks"))
    monkeypatch.setattr(compaction, "_LONGEST", 1)  # byte: each file is longer
    cut = rolled()
    assert (whole.work["segments"], cut.work["segments"]) == (1, 3)
    assert cut.work["summaries"] == 1
    (row,) = pq.read_table(tmp_path / "out" / "failing.parquet").to_pylist()
    assert row["since_at"] == days[1]
    assert _tree(tmp_path / "out") == _tree(tmp_path / "whole")


def test_what_is_compacted_twice_has_the_same_names_and_bytes(tmp_path: Path, store_of: Any, rolled: Rolled) -> None:
    store = store_of(tmp_path / "store")
    for at in (W52, W53, W01):
        store.keep("prod", at, {"ha/a": "fail", "ha/b": "pass"})
    rolled(weeks_dir=str(tmp_path / "one"))
    rolled(out="again", weeks_dir=str(tmp_path / "two"))
    assert _tree(tmp_path / "one") == _tree(tmp_path / "two")
    assert _tree(tmp_path / "out") == _tree(tmp_path / "again")
    assert not (tmp_path / "store" / "weeks").exists()


@pytest.fixture
def interrupted(tmp_path: Path, store_of: Any, rolled: Rolled) -> Iterator[Path]:
    """A store for a job to be stopped over; the next one must complete what it left."""
    store = store_of(tmp_path / "store")
    for at in (W52, W53, W01):
        store.keep("prod", at, {"ha/a": "fail"})
    yield store.folder
    assert not (tmp_path / "killed" / "scorecard.json").exists()
    rolled()
    rolled(out="whole", weeks_dir=str(tmp_path / "weeks"))
    assert _tree(store.folder / "weeks") == _tree(tmp_path / "weeks")
    assert _tree(tmp_path / "out") == _tree(tmp_path / "whole")


def test_a_job_that_is_killed_leaves_a_store_that_the_next_one_completes(
    interrupted: Path, tmp_path: Path, java_home: Path | None
) -> None:
    arguments = [str(interrupted), str(tmp_path / "killed"), "5", str(java_home or "")]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, *arguments], env=os.environ, capture_output=True, timeout=800, check=False
    )
    assert killed.returncode == -signal.SIGKILL


@pytest.mark.usefixtures("interrupted")
@pytest.mark.parametrize("files", [0, 9, 14])  # the first; amid the segments; amid the summaries
def test_wherever_a_job_ends_the_next_one_completes_it(
    rolled: Rolled, monkeypatch: pytest.MonkeyPatch, files: int
) -> None:
    left = iter(range(files))
    fill = hadoop.HadoopFolder.fill

    def dying(self: hadoop.HadoopFolder, name: str, content: bytes) -> None:
        ends = next(left, None) is None
        fill(self, name, content[: len(content) // 2] if ends else content)
        if ends:
            raise KeyboardInterrupt

    monkeypatch.setattr(hadoop.HadoopFolder, "fill", dying)
    with pytest.raises(KeyboardInterrupt):
        rolled(out="killed")
    monkeypatch.undo()


def test_results_of_every_version_up_to_ours_stand_side_by_side_and_a_later_one_is_set_aside(
    tmp_path: Path, store_of: Any, rolled: Rolled
) -> None:
    store = store_of(tmp_path / "store")

    def first_version(records: list[dict[str, Any]]) -> None:
        records[0]["version"] = 1
        del records[0]["generated"]
        del records[0]["head"]["waivers"]

    def unknown_fields(records: list[dict[str, Any]]) -> None:
        records[0]["weather"] = "fair"
        records[1]["a_later_field"] = {"deep": [1]}

    def later(records: list[dict[str, Any]]) -> None:
        records[0] |= {"version": 4, "expected": "elsewhere"}

    _rewrite(store.keep("one", W01, {"ha/a": "pass"}), first_version)
    store.keep("two", W01, {"ha/a": "pass"})
    _rewrite(store.keep("two-and-more", W01, {"ha/a": "pass"}), unknown_fields)
    _rewrite(store.keep("four", W01, {"ha/a": "pass"}), later)
    rolled()
    card = json.loads((tmp_path / "out" / "scorecard.json").read_text())
    assert card["environments"] == ["one", "two", "two-and-more"]
    reasons = [(row["file"].split("/")[1], row["line"], row["reason"]) for row in card["quarantine"]]
    newer = "is of format 4, and this tool reads formats up to 3: install a newer release of it"
    assert reasons[0] == ("four", 1, f"it {newer}")
    assert [reason[:2] for reason in reasons] == [("four", 1), ("four", 2)]


def test_generated_and_measured_runs_in_one_store_are_refused(tmp_path: Path, store_of: Any, rolled: Rolled) -> None:
    store = store_of(tmp_path / "store")
    store.keep("made-up", W01, {"ha/a": "pass"}, generated=True)
    rolled()
    assert json.loads((tmp_path / "out" / "scorecard.json").read_text())["generated"] is True
    store.keep("real", W01, {"ha/a": "pass"})
    with pytest.raises(UsageError, match=r"runs/real/.* was measured, runs/made-up/.* was generated"):
        rolled()


def test_a_file_that_changed_after_it_was_compacted_is_named_and_what_it_held_then_is_used(
    tmp_path: Path, store_of: Any, rolled: Rolled
) -> None:
    file = store_of(tmp_path / "store").keep("prod", W01, {"ha/a": "pass"})
    rolled()
    file.write_bytes(file.read_bytes() + b"\n")
    assert rolled().counts["runs"] == 1
    (aside,) = json.loads((tmp_path / "out" / "scorecard.json").read_text())["quarantine"]
    assert "evidence must not change" in aside["reason"]


def test_a_file_too_large_for_a_run_and_an_empty_one_are_set_aside_unread(
    tmp_path: Path, store_of: Any, rolled: Rolled
) -> None:
    store = store_of(tmp_path / "store")
    store.keep("prod", W01, {"ha/a": "pass"})
    large = store.keep("large", W01, {"ha/a": "pass"})
    with large.open("ab") as stream:
        stream.truncate(reading.LARGEST + 1)
    store.keep("empty", W01, {"ha/a": "pass"}).write_bytes(b"")
    rolled()
    aside = json.loads((tmp_path / "out" / "scorecard.json").read_text())["quarantine"]
    assert [(row["file"].split("/")[1], row["line"]) for row in aside] == [("empty", 0), ("large", 0)]
    assert aside[0]["reason"] == "the file is empty"
    assert aside[1]["reason"].endswith("more than any run leaves: not read")


def test_a_link_is_set_aside_and_nothing_of_what_it_leads_to_is_told(
    tmp_path: Path, store_of: Any, rolled: Rolled
) -> None:
    store = store_of(tmp_path / "store")
    store.keep("prod", W01, {"ha/a": "pass"})
    private = tmp_path / "private"
    private.write_text("planted key of ours\n")
    linked = store.keep("linked", W01, {"ha/a": "pass"})
    linked.unlink()
    linked.symlink_to(private)
    pipe = store.keep("piped", W01, {"ha/a": "pass"})
    pipe.unlink()
    os.mkfifo(pipe)
    rolled()
    aside, piped = json.loads((tmp_path / "out" / "scorecard.json").read_text())["quarantine"]
    assert aside["file"].split("/")[1] == "linked"
    assert aside["reason"].startswith("a link")
    assert (piped["file"].split("/")[1], piped["reason"]) == ("piped", "a pipe, which no run leaves: not read")
    planted = [path for path in (tmp_path / "out").rglob("*") if path.is_file() and b"planted" in path.read_bytes()]
    assert planted == []


def test_a_run_of_a_clock_that_runs_ahead_waits_until_its_time_has_come(
    tmp_path: Path, store_of: Any, rolled: Rolled
) -> None:
    store = store_of(tmp_path / "store")
    store.keep("prod", W01, {"ha/a": "pass"})
    store.keep("prod", "2027-01-07T06:00:00Z", {"ha/a": "fail"})
    store.keep("prod", "2031-01-01T06:00:00Z", {"ha/a": "fail"})
    summary = rolled(as_of="2027-01-06T12:00:00Z")
    assert (summary.week, summary.failing, summary.counts["later"]) == ("2027-W01", 0, 2)
    assert rolled(as_of="2027-01-08T12:00:00Z").failing == 1
