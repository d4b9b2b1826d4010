"""The answer to each fault fits a terminal of 80 columns and 24 lines, with colours and without: from kept evidence."""

import os
import re
import sys
from pathlib import Path

import pytest

from live.test_causes import NAMED
from runbook.evidence.bundle import save_bundle
from runbook.judge.first_step import with_code
from runbook.judge.summary import summarize
from runbook.model.diagnosis import Diagnosis
from runbook.reports import ReportOptions
from runbook.reports.console import report
from support.evidence import record
from support.evidence.diagnosed import run_as_kept
from support.screens import Screen, Shown, at_a_terminal

pytestmark = [pytest.mark.kept, pytest.mark.xdist_group("kept")]

COLUMNS, LINES = 80, 23
"""Of a terminal of 24 lines one is the next prompt's."""

_STYLE = re.compile(r"\x1b\[[0-9;]*m")

FAULTS = [
    pytest.param(state, runbook, id=f"{state}/{runbook}")
    for runbook, states in NAMED.items()
    for state in states
    if state.endswith("/during") and not state.startswith("sites/")
]
"""Of two sites a run tells a line each, and asks for one of them: tests/reports/test_fleet.py."""


TEN = [
    ("plain/stop-broker/during", "ha"),
    ("plain/lose-quorum/during", "ha"),
    ("proxied/slow-broker/during", "ha"),
    ("proxied/lose-sight/during", "ha"),
    ("hosts/full-disk/during", "ha"),
    ("ecosystem/stop-registry/during", "schema-governance"),
    ("ecosystem/poison-pill/during", "error-handling"),
    ("groups/hanging-transaction/during", "consumers"),
    ("kubernetes/crash-loop/during", "kubernetes"),
    ("secure/expired-certificate/during", "security"),
]
"""Faults that are looked at in a terminal of its own, by the whole command; what it shows is what the report says."""


def shown(state: str, runbook: str, *, color: bool) -> list[str]:
    shape, scene, name = state.split("/")
    options = ReportOptions(width=COLUMNS, lines=LINES, color=color)
    return report(run_as_kept(shape, scene, name, runbook), options).rstrip("\n").splitlines()


def said_of(state: str, runbook: str) -> Diagnosis:
    [said] = [diagnosis for diagnosis in run_as_kept(*state.split("/"), runbook).diagnoses if diagnosis.named]
    return said


@pytest.mark.parametrize(("state", "runbook"), FAULTS)
def test_the_screen_has_cause_effect_first_action_what_not_to_do_and_how_many_checks(state: str, runbook: str) -> None:
    screen = shown(state, runbook, color=False)
    said = said_of(state, runbook)
    cause, text = said.named[0], _flow("\n".join(screen))
    counts = summarize(run_as_kept(*state.split("/"), runbook).results)
    assert len(_as_broken(screen)) <= LINES
    assert all(len(line) <= COLUMNS or _is_command(line, cause.first) for line in screen)
    for words in (cause.says, *_parts(cause.first), cause.avoid, *(effect.says for effect in said.effects)):
        assert _flow(words) in text
    assert f"{counts.passed} pass {counts.failed} fail {counts.unknown} unknown" in text
    assert any("--full" in line for line in screen[-3:])


@pytest.mark.parametrize(("state", "runbook"), FAULTS)
def test_every_cause_is_on_the_screen_or_counted(state: str, runbook: str) -> None:
    text = _flow("\n".join(shown(state, runbook, color=False)))
    named = said_of(state, runbook).named
    on_screen = [cause for cause in named if _flow(cause.says) in text]
    assert on_screen == named or f"{len(named) - len(on_screen)} more: --full" in text


@pytest.mark.parametrize(("state", "runbook"), FAULTS)
def test_colours_change_no_word(state: str, runbook: str) -> None:
    coloured = shown(state, runbook, color=True)
    assert any(_STYLE.search(line) for line in coloured)
    assert [_STYLE.sub("", line) for line in coloured] == shown(state, runbook, color=False)


@pytest.mark.parametrize(("state", "runbook"), FAULTS)
def test_into_a_pipe_everything_is_told(state: str, runbook: str) -> None:
    run = run_as_kept(*state.split("/"), runbook)
    piped = _flow(report(run, ReportOptions()))
    for cause in said_of(state, runbook).named[:1]:
        assert all(_flow(proof) in piped for proof in cause.proof)
    assert "every check, with rows and reasons: --full" in piped


@pytest.mark.parametrize("colours", [True, False], ids=["colours", "no colours"])
@pytest.mark.parametrize(("state", "runbook"), TEN)
def test_at_a_terminal_the_answer_is_all_that_is_left_and_the_next_prompt_fits_below_it(
    state: str, runbook: str, *, colours: bool, tmp_path: Path
) -> None:
    seen = looked_at(state, runbook, tmp_path / "seen.json", colours=colours)
    assert seen.above == []  # not even of what stood there while the command ran
    assert _below_the_head(seen.lines) == _below_the_head(_as_broken(shown(state, runbook, color=False)))
    assert len(seen.lines) <= LINES
    assert bool(seen.styles) == colours
    assert seen.code in (1, 3)


def test_a_terminal_wraps_scrolls_and_forgets_what_is_erased() -> None:
    screen = Screen(4, 3)
    screen.show("gone\r\x1b[2Kabcdef\r\n\x1b[1mtwo\x1b[0m\r\nthree\r\n")
    assert (screen.above, screen.lines(), screen.styles) == (["abcd", "ef", "two"], ["thre", "e"], 2)
    screen.show("\x1b[1A\x1b[2K")
    assert screen.lines() == ["thre"]
    with pytest.raises(ValueError, match="J"):
        screen.show("\x1b[2J")


def looked_at(state: str, runbook: str, file: Path, *, colours: bool) -> Shown:
    """What a terminal shows of a fault, as `runbook check` tells it."""
    save_bundle(file, record.read(record.place_of(*state.split("/"))).bundle)
    ours = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")
    variables = {name: value for name, value in os.environ.items() if name not in ours}
    variables |= {"TERM": "xterm-256color"} | ({} if colours else {"NO_COLOR": "1"})
    command = [str(Path(sys.executable).with_name("runbook")), "check", runbook, "--from", str(file)]
    return at_a_terminal(command, variables, COLUMNS, LINES + 1)


def _below_the_head(lines: list[str]) -> list[str]:
    """An answer without how long its run took; the head says where a runbook came from, which a report may not know."""
    return [_flow(re.sub(r"[\d.]+ s of \d+ s", "", line)) for line in lines[lines.index("") :]]


def _as_broken(lines: list[str]) -> list[str]:
    """Lines as a terminal shows them, which breaks those that are too long, as commands may be."""
    return [line[at : at + COLUMNS] for line in lines for at in range(0, max(1, len(line)), COLUMNS)]


def _is_command(line: str, first: str) -> bool:
    """Whether a line is a command to be pasted, which nobody wraps: a walk, or one of what is to be done first."""
    label, _, command = line.strip().partition(" ")
    return (label == "walk" and command.strip().startswith("runbook procedure walk ")) or line.strip() in first


def _parts(first: str) -> list[str]:
    """What is to be done first: its words and its code, which stands in a line of its own, without the mark after."""
    return [piece.text.lstrip(".,;: ") for piece in with_code(first)]


def _flow(text: str) -> str:
    return " ".join(text.split())
