import io
import os
import pty
import select
import sys

import pytest

from runbook.cli.terminal import Status, colored


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
