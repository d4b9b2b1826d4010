"""The answer to each fault fits a terminal of 80 columns and 24 lines, with colours and without: from kept evidence."""

import re

import pytest

from live.test_causes import NAMED
from runbook.model.diagnosis import Diagnosis
from runbook.reports import ReportOptions
from runbook.reports.console import report
from support.evidence.diagnosed import run_as_kept

pytestmark = [pytest.mark.kept, pytest.mark.xdist_group("kept")]

COLUMNS, LINES = 80, 24
_STYLE = re.compile(r"\x1b\[[0-9;]*m")

LONGER = {
    "ecosystem/dead-letters-arrived/during": "a high failure that it does not explain keeps its own first step",
    "proxied/lose-sight/during": "two brokers are out of reach, and both are named",
    "stretched/lose-data-centre/during": "the same; to ha there are two causes, a broker each",
}
"""State of one fault → why its answer goes on behind the first screen; what is to be done first stands on it."""

FAULTS = [
    pytest.param(state, runbook, id=f"{state}/{runbook}")
    for runbook, states in NAMED.items()
    for state in states
    if state.endswith("/during") and not state.startswith("sites/")
]
"""Of two sites a run tells a line each, and asks for one of them: tests/reports/test_fleet.py."""


def shown(state: str, runbook: str, *, color: bool) -> list[str]:
    shape, scene, name = state.split("/")
    options = ReportOptions(width=COLUMNS, color=color)
    return report(run_as_kept(shape, scene, name, runbook), options).rstrip("\n").splitlines()


def said_of(state: str, runbook: str) -> Diagnosis:
    [said] = [one for one in run_as_kept(*state.split("/"), runbook).diagnoses if one.named]
    return said


@pytest.mark.parametrize(("state", "runbook"), FAULTS)
def test_the_first_screen_has_cause_effect_and_first_action(state: str, runbook: str) -> None:
    screen = shown(state, runbook, color=False)[:LINES]
    said = said_of(state, runbook)
    cause, text = said.named[0], " ".join(" ".join(screen).split())
    assert max(map(len, screen)) <= COLUMNS
    assert " ".join(cause.says.split()) in text
    assert " ".join(cause.first.split()) in text
    assert all(" ".join(effect.says.split()) in text for effect in said.effects)


@pytest.mark.parametrize(("state", "runbook"), FAULTS)
def test_colours_change_no_word(state: str, runbook: str) -> None:
    coloured = shown(state, runbook, color=True)
    assert any(_STYLE.search(line) for line in coloured)
    assert [_STYLE.sub("", line) for line in coloured] == shown(state, runbook, color=False)


def test_the_whole_answer_to_a_fault_fits_one_screen() -> None:
    lines = {state: len(shown(state, runbook, color=False)) for state, runbook in (one.values for one in FAULTS)}
    assert len(lines) - len(LONGER) > 10
    assert {state for state, count in lines.items() if count > LINES} == LONGER.keys()
