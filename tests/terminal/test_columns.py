"""Lists at a narrow terminal: no word is broken, and what is copied stays whole."""

import sys
from typing import Any

import pytest

from runbook.terminal import columns
from runbook.terminal.columns import beside, one_by_one


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> int:
    """A terminal of 60 columns."""
    monkeypatch.setattr(columns, "terminal_columns", lambda: 60)
    return 60


def test_in_a_pipe_each_is_one_line() -> None:
    assert not sys.stdout.isatty()
    assert beside("a  ", "word " * 40) == ("a  " + "word " * 40).rstrip()
    assert one_by_one("  ", ["runbook show a" * 9, "runbook check a"]).count("\n") == 0


@pytest.mark.usefixtures("narrow")
def test_a_text_stands_beside_its_front_or_hangs_beneath_it() -> None:
    text = "One planned and one unplanned loss leave every partition readable"
    assert beside("  check  ", text) == (
        "  check  One planned and one unplanned loss leave every\n         partition readable"
    )
    assert beside("  check      medium   ha/maintenance-and-a-failure-lose-nothing  ", text) == (
        "  check      medium\n      ha/maintenance-and-a-failure-lose-nothing\n"
        "      One planned and one unplanned loss leave every\n      partition readable"
    )
    assert beside("", text) == "One planned and one unplanned loss leave every partition\n  readable"
    assert beside("  works    kafka  ", "") == "  works    kafka"


@pytest.mark.usefixtures("narrow")
def test_what_makes_a_terminal_do_things_is_made_inert() -> None:
    assert "\x1b" not in beside("\x1b[2J", "\x1b[31m" * 30)
    assert "\x1b" not in one_by_one("", ["\x1b[2J" * 40, "b"])


@pytest.mark.usefixtures("narrow")
def test_commands_to_copy_stand_on_lines_of_their_own() -> None:
    commands = ["runbook show topics#a-topic-grows", "runbook check topics#a-topic-grows --env '*'"]
    assert one_by_one("    ", commands) == "".join(f"    {command}\n" for command in commands).rstrip()
    assert one_by_one("    ", ["a", "b"]) == "    a · b"


@pytest.mark.parametrize(
    "words",
    [
        ["list", "ha"],
        ["list", "--probes"],
        ["find", "retention"],
        ["procedure", "list", "ha"],
        ["env", "--offline"],
        ["requests", "kafka", "ssh"],
    ],
)
@pytest.mark.usefixtures("knowledge")
def test_no_list_has_a_line_that_a_terminal_would_break(command: Any, narrow: int, words: list[str]) -> None:
    lines = command(*words).out.splitlines()
    assert lines
    prose = [line for line in lines if ": {" not in line and not line.strip().startswith("runbook ")]
    assert [line for line in prose if len(line) > narrow] == []
