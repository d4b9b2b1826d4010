import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runbook.engine.result import Outcome, Result
from runbook.engine.run import Run
from runbook.engine.store import NotKept, chained, verify_file, write_atomically, write_run
from small_runbooks import empty_run, result


def run_of(*results: Result, heads: tuple[str, ...] = ("prod",)) -> Run:
    return empty_run(*heads, results=list(results))


def records(file: Path) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in file.read_bytes().splitlines()]


def test_a_run_is_one_file_per_environment_named_by_date_and_run(tmp_path: Path) -> None:
    run = run_of(result("small/a", "prod"), result("small/b", "test"), heads=("prod", "test"))
    files = write_run(tmp_path, run)
    assert [str(file.relative_to(tmp_path)) for file in files] == [
        f"runs/{name}/2026-11-21/{run.id}.jsonl" for name in ("prod", "test")
    ]
    kinds = [[(record["kind"], record["environment"]) for record in records(file)] for file in files]
    assert kinds == [[(kind, name) for kind in ("run", "result", "manifest")] for name in ("prod", "test")]
    assert [verify_file(file.read_bytes()) for file in files] == ["", ""]


def test_results_about_an_environment_without_a_head_are_kept_too(tmp_path: Path) -> None:
    files = write_run(tmp_path, run_of(result("small/a", "fleet")))
    assert sorted(file.parts[-3] for file in files) == ["fleet", "prod"]
    assert [record["check"] for record in records(files[0]) + records(files[1]) if record["kind"] == "result"] == [
        "small/a"
    ]


def test_what_was_written_is_canonical_and_names_its_run(tmp_path: Path) -> None:
    run = run_of(result("small/a", "prod", Outcome.FAIL))
    [file] = write_run(tmp_path, run)
    head, kept, manifest = records(file)
    assert (head["run"], head["trigger"], head["complete"]) == (run.id, "manual", True)
    assert (kept["outcome"], kept["waived"], kept["rows"][0]["key"]) == ("fail", False, {"topic": "a"})
    assert manifest["records"] == 2
    assert write_run(tmp_path / "again", run)[0].read_bytes() == file.read_bytes()


RECORDS: list[dict[str, Any]] = [
    {"kind": "run", "n": 1.5},
    {"kind": "result", "t": "é\u2028"},
    {"kind": "result"},
    {"kind": "manifest", "records": 3},
]
CONTENT = b"".join(line + b"\n" for line in chained(RECORDS))


def test_a_file_as_it_was_written_is_right() -> None:
    assert verify_file(CONTENT) == ""


@given(st.integers(0, len(CONTENT) - 1), st.integers(1, 255))
@settings(max_examples=500)
def test_a_changed_byte_is_noticed(place: int, change: int) -> None:
    content = bytearray(CONTENT)
    content[place] ^= change
    assert verify_file(bytes(content))


@given(st.permutations(CONTENT.splitlines(keepends=True)), st.integers(0, 4))
def test_a_dropped_moved_or_repeated_line_is_noticed(lines: list[bytes], kept: int) -> None:
    for candidate in (lines, lines[:kept], [*lines[:kept], *lines]):
        if b"".join(candidate) != CONTENT:
            assert verify_file(b"".join(candidate))


@given(st.integers(0, len(CONTENT) - 1))
def test_a_file_cut_off_is_noticed(length: int) -> None:
    assert verify_file(CONTENT[:length])


def test_what_is_wrong_is_said_with_its_line() -> None:
    lines = CONTENT.splitlines(keepends=True)
    assert verify_file(b"".join([*lines[:1], *lines[2:]])).startswith("line 2 is not what was written there")
    assert verify_file(b"".join(lines[:-1])) == "the end is missing: 3 lines, and no manifest that counts them"
    assert verify_file(lines[0] + b"{\n").startswith("line 2 is no JSON object")
    assert verify_file(b"") == "the end is missing: the last line is not complete"


def test_a_process_killed_in_mid_write_leaves_no_half_file(tmp_path: Path) -> None:
    script = (
        "import sys, itertools, os, time\n"
        "from pathlib import Path\n"
        "from runbook.engine import store\n"
        "sync = os.fsync\n"
        "def slow(descriptor):\n"
        "    print('writing', flush=True); time.sleep(60); sync(descriptor)\n"
        "os.fsync = slow\n"
        "store.write_atomically(Path(sys.argv[1]), b'x' * 5_000_000)\n"
    )
    file = tmp_path / "run.jsonl"
    with subprocess.Popen([sys.executable, "-c", script, str(file)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        process.send_signal(signal.SIGKILL)
    assert list(tmp_path.glob("*.jsonl")) == []
    write_atomically(file, b"whole")
    assert file.read_bytes() == b"whole"


def test_many_processes_write_into_one_store_at_once(tmp_path: Path) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom runbook.engine.store import write_atomically\n"
        "for i in range(20): write_atomically(Path(sys.argv[1]) / 'a' / f'{sys.argv[2]}-{i}.jsonl', b'whole')\n"
    )
    processes = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path), str(i)]) for i in range(3)]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    files = list((tmp_path / "a").iterdir())
    assert len(files) == 60
    assert {file.read_bytes() for file in files} == {b"whole"}


def full(_: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_said_so_and_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(NotKept, match=r"results of prod could not be kept in .*\.jsonl: No space left on device"):
        write_run(tmp_path, run_of(result("small/a", "prod")))
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []


def test_a_write_that_the_system_breaks_off_leaves_nothing_behind(tmp_path: Path) -> None:
    script = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from runbook.engine.store import write_atomically\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))\n"  # as on a disk with that much left
        "try: write_atomically(Path(sys.argv[1]), b'x' * 1_000_000)\n"
        "except OSError as error: print('broken off', error.errno)\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "run.jsonl")]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said == f"broken off {errno.EFBIG}\n"
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_may_not_be_written_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file where a folder should be")
    with pytest.raises(NotKept, match="results of prod could not be kept"):
        write_run(tmp_path, run_of(result("small/a", "prod")))


def test_an_older_file_of_that_name_is_replaced_as_a_whole(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"old and long")
    write_atomically(file, b"new")
    assert (file.read_bytes(), [entry.name for entry in tmp_path.iterdir()]) == (b"new", ["f"])


def test_verifying_costs_in_proportion_to_the_file() -> None:
    def seconds(count: int) -> float:
        body = [{"kind": "result", "n": i} for i in range(count)]
        content = b"".join(line + b"\n" for line in chained([*body, {"kind": "manifest", "records": count}]))
        start = time.process_time()
        assert verify_file(content) == ""
        return time.process_time() - start

    assert seconds(20_000) < 40 * max(seconds(2_000), 0.005)
