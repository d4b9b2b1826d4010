import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runbook.evidence.chain import first_fault
from runbook.evidence.store import NotKept, write_atomically, write_run
from runbook.model.result import Outcome, Result
from runbook.model.run import Run
from support.kept_runs import kept_run
from support.small_runbooks import empty_run, result


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
    assert [first_fault(file.read_bytes()) for file in files] == [None, None]


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


def test_a_process_killed_in_mid_write_leaves_no_half_file(tmp_path: Path) -> None:
    script = (
        "import sys, itertools, os, time\n"
        "from pathlib import Path\n"
        "from runbook.evidence import store\n"
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
    assert list(tmp_path.iterdir()) == []
    write_atomically(file, b"whole")
    assert file.read_bytes() == b"whole"


COLLECTOR = """
import sys
from pathlib import Path
from support.kept_runs import kept_run
from runbook.evidence.store import write_run
number = int(sys.argv[2])
while True:
    number += 1
    run = kept_run("prod", "test", number=number)
    write_run(Path(sys.argv[1]), run)
    print(run.id, flush=True)  # from here on it is reported
"""


def collector(store: Path, number: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", COLLECTOR, str(store), str(number)]
    search = {"PYTHONPATH": str(Path(__file__).parents[1])}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | search)


def test_collectors_killed_at_any_moment_lose_nothing_they_reported_and_leave_no_half_file(tmp_path: Path) -> None:
    reported: list[str] = []
    moment = random.Random(4)
    for kill in range(20):
        with collector(tmp_path, 1_000_000 * kill) as first, collector(tmp_path, 1_000_000 * kill + 500_000) as second:
            for process in (first, second):
                assert process.stdout is not None
                reported.append(process.stdout.readline().strip())
            time.sleep(moment.random() / 50)
            for process in (first, second):
                process.kill()
                reported += process.stdout.read().split("\n")[:-1] if process.stdout else []
        files = [file for file in tmp_path.glob("runs/*/*/*") if file.suffix == ".jsonl"]
        assert [file for file in files if first_fault(file.read_bytes())] == []
    kept = {(file.parts[-3], file.stem) for file in files}
    assert len(reported) > 40
    assert {(name, run) for run in reported for name in ("prod", "test")} - kept == set()


def test_many_processes_write_into_one_store_at_once(tmp_path: Path) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom runbook.evidence.store import write_atomically\n"
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
    with pytest.raises(NotKept, match=r"\.jsonl could not be written: No space left on device; nothing of it is kept"):
        write_run(tmp_path, run_of(result("small/a", "prod")))
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []


def fill(store: Path, kept: list[Path]) -> NotKept | None:
    """Write runs until one is refused."""
    for number in range(10_000):
        try:
            kept += write_run(store, kept_run(number=number))
        except NotKept as refused:
            return refused
    return None


@pytest.mark.skipif(os.geteuid() != 0 or sys.platform != "linux", reason="mounts a small disk, which takes root")
def test_on_a_disk_that_is_really_full_what_was_kept_stays_and_nothing_half_is_seen(tmp_path: Path) -> None:
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", tmp_path], check=False).returncode
    if mounted:
        pytest.skip("this system lets nobody mount a disk")
    try:
        kept: list[Path] = []
        refused = fill(tmp_path, kept)
        assert "No space left on device" in str(refused)
        assert len(kept) > 10
        assert sorted(file for file in tmp_path.rglob("*") if file.is_file()) == sorted(kept)
        assert [file for file in kept if first_fault(file.read_bytes())] == []
    finally:
        subprocess.run(["umount", tmp_path], check=True)


def test_a_write_that_the_system_breaks_off_leaves_nothing_behind(tmp_path: Path) -> None:
    script = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from runbook.evidence.store import write_atomically\n"
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
    with pytest.raises(NotKept, match="could not be written: Not a directory"):
        write_run(tmp_path, run_of(result("small/a", "prod")))


def test_a_system_without_files_that_have_no_name_writes_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As NFS, where a writer that is killed leaves a file that readers pass over."""
    opened, seen = os.open, []

    def without(path: Any, flags: int, *rest: int, **more: int) -> int:
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            raise OSError(errno.ENOTSUP, "Operation not supported")
        seen.append(str(path))
        return opened(path, flags, *rest, **more)

    monkeypatch.setattr(os, "open", without)
    write_atomically(tmp_path / "f", b"old")
    write_atomically(tmp_path / "f", b"new")
    assert ((tmp_path / "f").read_bytes(), [entry.name for entry in tmp_path.iterdir()]) == (b"new", ["f"])
    [first, _] = write_run(tmp_path / "store", run_of(result("small/a", "prod"), result("small/a", "test")))
    assert [entry.name for entry in first.parent.iterdir()] == [first.name]
    assert len([name for name in seen if name.endswith(".part")]) == 4


def test_an_older_file_of_that_name_is_replaced_as_a_whole(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"old and long")
    write_atomically(file, b"new")
    assert (file.read_bytes(), [entry.name for entry in tmp_path.iterdir()]) == (b"new", ["f"])
