"""What is said to whoever looks for a mistake in the tool, and that nobody else hears of it."""

import os
import re
import subprocess
import sys

import pytest

from runbook.model.errors import CannotLook, Mistake, Unreachable
from runbook.plugins import debugging
from runbook.plugins.guard import attempt


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is said while it is wanted."""
    monkeypatch.setenv(debugging.VARIABLE, "1")
    said: list[str] = []
    monkeypatch.setattr(debugging._listener, "hear", said.append)
    return said


@pytest.mark.parametrize(("value", "wanted"), [("", False), ("0", False), ("1", True), ("yes", True)])
def test_it_is_off_unless_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], value: str, *, wanted: bool
) -> None:
    monkeypatch.setenv(debugging.VARIABLE, value)
    debugging.say("one\ntwo", "prod kafka")
    debugging.exception(KeyError("x"))
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("[prod kafka] one\n[prod kafka] two\n") == wanted
    assert ("KeyError: 'x'" in said.err) == bool(said.err) == wanted


def test_what_is_asked_for_holds_for_processes_that_are_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(debugging.VARIABLE, raising=False)
    assert not debugging.wanted()
    monkeypatch.setenv(debugging.VARIABLE, "")  # so that it is taken back
    debugging.want()
    assert debugging.wanted()


def fail(error: Exception) -> None:
    raise error


def test_a_mistake_in_code_is_told_with_its_place_and_what_was_to_be_expected_is_not(heard: list[str]) -> None:
    assert isinstance(attempt(lambda: fail(KeyError("x"))), Mistake)
    [trace] = heard
    assert trace.startswith("Traceback (most recent call last):")
    assert f'"{__file__}", line ' in trace
    expected = attempt(lambda: fail(CannotLook("no rights")))
    assert (type(expected), len(heard)) == (CannotLook, 1)


def test_what_stands_behind_an_expected_failure_is_told_in_a_line(heard: list[str]) -> None:
    def refused() -> None:
        try:
            fail(ConnectionRefusedError(111, "Connection refused"))
        except OSError as error:
            raise Unreachable("nothing answers at broker-1:9092") from error

    assert type(attempt(refused)) is Unreachable
    assert heard == [
        "Unreachable: nothing answers at broker-1:9092 <- ConnectionRefusedError(111, 'Connection refused')"
    ]


LOGS = """
import logging
from runbook.plugins import debugging
debugging.overhear()
logging.getLogger("kafka.conn").debug("request %d took %s", 7, "12 ms")
"""


@pytest.mark.parametrize(("value", "expected"), [("1", r"\d+ ms kafka.conn DEBUG request 7 took 12 ms\n"), ("", "")])
def test_what_libraries_log_is_told_where_it_is_wanted(value: str, expected: str) -> None:
    """In a process of its own, as a worker is: what is logged would be heard there from then on."""
    done = subprocess.run(
        [sys.executable, "-c", LOGS],
        env=os.environ | {debugging.VARIABLE: value},
        capture_output=True,
        text=True,
        timeout=800,
        check=True,
    )
    assert done.stdout == ""
    assert re.fullmatch(expected, done.stderr)
