import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kafka_lab import processes
from kafka_lab.processes import Process, condition, freeze, gone, start, terminate, thaw


@pytest.fixture
def sleeper(tmp_path: Path) -> Iterator[Process]:
    process = start(["sleep", "60"], output=tmp_path / "out", folder=tmp_path)
    yield process
    terminate(process, patience=0)


def test_a_started_process_is_alive_in_a_session_of_its_own(sleeper: Process) -> None:
    assert condition(sleeper) == "alive"
    assert os.getsid(sleeper.pid) != os.getsid(0)


def test_what_it_prints_goes_to_its_file(tmp_path: Path) -> None:
    process = start(["sh", "-c", "echo out; echo err >&2; pwd"], output=tmp_path / "out", folder=tmp_path)
    assert gone(process, 5)
    assert (tmp_path / "out").read_text().split() == ["out", "err", str(tmp_path)]


def test_a_frozen_process_is_told_from_a_living_and_a_dead_one(sleeper: Process) -> None:
    freeze(sleeper)
    assert condition(sleeper) == "frozen"
    thaw(sleeper)
    assert condition(sleeper) == "alive"
    terminate(sleeper, patience=5)
    assert condition(sleeper) == "stopped"


def test_a_frozen_process_can_be_ended(sleeper: Process) -> None:
    freeze(sleeper)
    terminate(sleeper, patience=5)
    assert condition(sleeper) == "stopped"


def test_a_process_that_ignores_the_request_is_killed(tmp_path: Path) -> None:
    program = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"
    stubborn = start([sys.executable, "-c", program], output=tmp_path / "out", folder=tmp_path)
    while not (tmp_path / "out").read_text():
        pass
    terminate(stubborn, patience=0.2)
    assert condition(stubborn) == "stopped"


def test_a_process_whose_first_thread_has_ended_is_there_as_long_as_another_holds_its_port(tmp_path: Path) -> None:
    program = """
import ctypes, socket, threading, time
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
threading.Thread(target=time.sleep, args=(60,)).start()
ctypes.CDLL(None).pthread_exit(None)
"""
    process = start([sys.executable, "-c", program], output=tmp_path / "out", folder=tmp_path)
    while processes._look(process.pid)[1] != "Z":
        assert condition(process) == "alive"
    assert condition(process) == "alive"
    with socket.create_connection(("127.0.0.1", int((tmp_path / "out").read_text()))):
        terminate(process, patience=0)
    assert condition(process) == "stopped"


def test_a_stranger_under_a_reused_id_is_neither_seen_nor_touched(sleeper: Process) -> None:
    ours_long_ago = Process(sleeper.pid, "another start")
    assert condition(ours_long_ago) == "stopped"
    freeze(ours_long_ago)
    terminate(ours_long_ago, patience=1)
    assert condition(sleeper) == "alive"


def test_a_name_with_parentheses_does_not_confuse_the_reading_of_proc(tmp_path: Path) -> None:
    odd = tmp_path / "a) S (b"
    odd.symlink_to("/bin/sleep")
    process = start([str(odd), "60"], output=tmp_path / "out", folder=tmp_path)
    try:
        assert condition(process) == "alive"
    finally:
        terminate(process, patience=0)
    assert condition(process) == "stopped"


def test_a_process_outlives_the_one_that_started_it(tmp_path: Path) -> None:
    program = f"""
from pathlib import Path
from kafka_lab.processes import start
process = start(["sleep", "60"], output=Path({str(tmp_path / "out")!r}), folder=Path("/"))
print(process.pid, process.started, sep="|")
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True)
    pid, _, started = done.stdout.strip().partition("|")
    orphan = Process(int(pid), started)
    assert condition(orphan) == "alive"
    assert done.stderr == ""
    terminate(orphan, patience=0)
    assert condition(orphan) == "stopped"


def test_without_proc_the_same_is_learnt_from_ps(sleeper: Process) -> None:
    seen = processes._look_with_ps(sleeper.pid)
    assert seen[0] == processes._look_with_ps(sleeper.pid)[0] != ""  # of its letters, one that just began has two
    freeze(sleeper)
    assert processes._look_with_ps(sleeper.pid)[1] == "T"
    terminate(sleeper, patience=0)
    assert condition(sleeper) == "stopped"
    assert processes._look_with_ps(sleeper.pid) == ("", "")
