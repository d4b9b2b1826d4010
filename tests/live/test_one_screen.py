"""The answer to each fault fits a terminal of 80 columns and 24 lines, with colours and without: from kept evidence."""

import re

import pytest

from live.test_causes import NAMED
from runbook.judge.summary import summarize
from runbook.model.diagnosis import Diagnosis
from runbook.reports import ReportOptions
from runbook.reports.console import report
from support.evidence.diagnosed import run_as_kept

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


def shown(state: str, runbook: str, *, color: bool) -> list[str]:
    shape, scene, name = state.split("/")
    options = ReportOptions(width=COLUMNS, lines=LINES, color=color)
    return report(run_as_kept(shape, scene, name, runbook), options).rstrip("\n").splitlines()


def said_of(state: str, runbook: str) -> Diagnosis:
    [said] = [one for one in run_as_kept(*state.split("/"), runbook).diagnoses if one.named]
    return said


@pytest.mark.parametrize(("state", "runbook"), FAULTS)
def test_the_screen_has_cause_effect_first_action_what_not_to_do_and_how_many_checks(state: str, runbook: str) -> None:
    screen = shown(state, runbook, color=False)
    said = said_of(state, runbook)
    cause, text = said.named[0], _flow("\n".join(screen))
    counts = summarize(run_as_kept(*state.split("/"), runbook).results)
    assert len(screen) <= LINES
    assert max(map(len, screen)) <= COLUMNS
    for words in (cause.says, cause.first, cause.avoid, *(effect.says for effect in said.effects)):
        assert _flow(words) in text
    assert f"{counts.passed} pass {counts.failed} fail {counts.unknown} unknown" in text
    assert "--full" in screen[-1] or "--full" in screen[-2]


@pytest.mark.parametrize(("state", "runbook"), FAULTS)
def test_every_cause_is_on_the_screen_or_counted(state: str, runbook: str) -> None:
    text = _flow("\n".join(shown(state, runbook, color=False)))
    named = said_of(state, runbook).named
    told = [cause for cause in named if _flow(cause.says) in text]
    assert told == named or f"{len(named) - len(told)} more: --full" in text


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


def _flow(text: str) -> str:
    return " ".join(text.split())
