import fcntl
import io
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from kafka_lab.waiting import wait_until
from runbook.terminal.status import Status, Steps, colored
from support.foreground import in_foreground


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


@pytest.mark.parametrize(
    ("when", "environment", "expected"),
    [("auto", {}, True), ("auto", {"NO_COLOR": "1"}, False), ("auto", {"TERM": "dumb"}, False), ("never", {}, False)],
)
def test_colour_is_for_terminals_that_want_it(
    when: str, environment: dict[str, str], *, expected: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert colored(when, Terminal()) is expected
    assert colored("auto", io.StringIO()) is False
    assert colored("always", io.StringIO()) is True


def test_nothing_is_shown_where_no_one_watches(capsys: pytest.CaptureFixture[str]):
    status = Status()
    status.keep("FAIL")
    status.show("facts 1/2")
    status.clear()
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lint", "runbooks/first.md"], "reading runbooks"),
        (["results", "expect", "first", "--store", "kept"], "reading runbooks and inventory"),
    ],
)
@pytest.mark.usefixtures("knowledge")
def test_who_waits_at_a_terminal_is_told_for_what(
    command: Any, words: list[str], said: str, monkeypatch: pytest.MonkeyPatch
):
    Path("kept").mkdir()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", stream := Terminal())
    assert command(*words).code == 0
    assert stream.getvalue().startswith(f"{said}\r\x1b[2K")


def test_a_step_is_one_piece_so_that_steps_side_by_side_stand_in_lines_of_their_own(monkeypatch: pytest.MonkeyPatch):
    written: list[str] = []
    stream = Terminal()
    monkeypatch.setattr(stream, "write", written.append)
    monkeypatch.setattr(sys, "stderr", stream)
    Steps()("writing scores")
    assert written == ["   0.0s  writing scores\n"]


def test_a_step_that_lasts_is_named_again_until_its_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(Steps, "PATIENCE", 0.05)
    with Steps() as progress:
        progress("starting Spark")
        wait_until(lambda: "still: starting Spark\n" in capsys.readouterr().err, "its name again", within=10)
    capsys.readouterr()
    threading.Event().wait(0.2)
    assert capsys.readouterr().err == ""


def everything_in(terminal: int) -> str:
    """What was written to a terminal; one read may give a part of it only."""
    written = b""
    while select.select([terminal], [], [], 0.5)[0]:
        written += os.read(terminal, 4096)
    return written.decode()


def test_what_was_shown_is_taken_away_again(monkeypatch: pytest.MonkeyPatch):
    inner, outer = pty.openpty()
    monkeypatch.setenv("TERM", "xterm")
    with os.fdopen(outer, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        status = Status()
        status.keep("FAIL one")
        status.show("facts 1/2")
        status.show("facts 2/2")
        status.clear()
        terminal.flush()
        written = everything_in(inner)
    os.close(inner)
    assert "FAIL one" in written
    assert written.endswith("\x1b[2K\x1b[1A\x1b[2K")


def test_a_line_is_no_longer_than_the_terminal_on_which_it_stands(monkeypatch: pytest.MonkeyPatch):
    inner, outer = pty.openpty()
    fcntl.ioctl(outer, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")  # of standard output, or of another window
    with os.fdopen(outer, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        Status().show("x" * 100)
        terminal.flush()
        assert everything_in(inner) == "x" * 39
    os.close(inner)


def test_a_terminal_that_stands_still_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    inner, outer = pty.openpty()
    termios.tcflow(outer, termios.TCOOFF)  # as Ctrl-S does
    goes_on = threading.Timer(10, termios.tcflow, (outer, termios.TCOON))
    goes_on.start()
    monkeypatch.setenv("TERM", "xterm")
    with os.fdopen(outer, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        status = Status()
        began = time.monotonic()
        for number in range(100):
            status.show(f"facts {number}")
        status.clear()
        assert time.monotonic() - began < 5
        goes_on.cancel()
        termios.tcflow(outer, termios.TCOON)
        assert everything_in(inner) == "facts 0"
        status.show("facts 100")
        assert everything_in(inner) == "facts 100"
    os.close(inner)


# Another thread takes the signal, so the read of the first is not interrupted, as by one that comes just before it.
UNHEARD = """
import signal, threading, time
from runbook.terminal.status import typed
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
try:
    print("waits", flush=True)
    typed()
except KeyboardInterrupt:
    print("heard", flush=True)
"""


def test_ctrl_c_is_heard_though_it_comes_just_before_the_read():
    command = in_foreground(sys.executable, "-c", UNHEARD)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "waits\n"
            process.send_signal(signal.SIGINT)
            assert select.select([process.stdout], [], [], 20)[0], "it was not heard"
            assert process.stdout.readline() == "heard\n"
        finally:
            process.kill()
