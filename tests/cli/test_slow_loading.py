"""Where loading takes longer than the deadline: all is asked, how long it took is told, and Ctrl-C ends it."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.busy_machine import LATE
from support.commands_here import Command
from support.foreground import in_foreground
from support.small_runbooks import EACH, FAKES, FRONT, check_text

_LOADS = 6.0
_CHECK = ("check", "own.md", "--checks", str(FAKES), "--deadline", "1s")


@pytest.fixture
def slow(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A runbook, and an environment whose library loads for longer than the deadline."""
    (here / "own.md").write_text(FRONT + check_text(EACH, "asked"), "utf-8")
    (here / "environments.yaml").write_text("environments: {prod: {fake: {}}}\n", "utf-8")
    monkeypatch.setenv("FAKE_LOADING", str(_LOADS))
    return here


@pytest.mark.usefixtures("slow")
def test_a_run_asks_all_the_same_and_says_how_long_loading_took(command: Command) -> None:
    done = command(*_CHECK)
    assert "\n1 pass " in done.out
    assert re.search(r"0\.\d s of 1 s; loading took [6-9]\.\d s", done.out)
    told = json.loads(command(*_CHECK, "--format", "json").out)["run"]
    assert 1000 * _LOADS <= told["loading_ms"] <= told["took_ms"] < told["loading_ms"] + 1000 * (1 + LATE)
    assert told["deadline_ms"] == 1000


@pytest.mark.usefixtures("slow")
def test_a_single_question_is_put_and_how_long_loading_took_is_told_beside_its_answer(command: Command) -> None:
    done = command("probe", "fake_row", "--checks", str(FAKES), "--deadline", "1s")
    assert done.code == 0
    assert re.fullmatch(r"loading took [6-9]\.\d s\n", done.err)
    assert "loading" not in done.out


def test_ctrl_c_while_libraries_load_ends_the_run_at_once(slow: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_LOADING", "100")
    process = subprocess.Popen(
        in_foreground(sys.executable, "-P", "-m", "runbook", *_CHECK),
        cwd=slow,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(5)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    out, err = process.communicate(timeout=800)
    assert time.monotonic() - began < 20
    assert (process.returncode, err) == (130, "")
    assert "the run was interrupted" in " ".join(out.split())
