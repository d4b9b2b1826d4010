"""What the page on walking says is so."""

import io
import re
import sys
from pathlib import Path

import pytest

from runbook.cli.walk_dialog import EXIT_CODES, offered, walk_here
from runbook.model.result import Outcome
from runbook.procedure.events import AT_GATE
from runbook.procedure.walk import OPENING
from runbook.procedure.walk_file import walks_home
from runbook.procedure.walk_start import WalkOptions
from support.documented import ROOT

PAGE = (ROOT / "docs/how-to/walk-a-procedure.md").read_text("utf-8")
WORDS = " ".join(PAGE.split())
BUNDLE = ROOT / "tests" / "cases" / "ha" / "healthy.json"


def test_the_questions_are_those_that_are_asked() -> None:
    assert f"{offered(AT_GATE)} > o" in PAGE


def test_exit_codes_are_those_that_are_given() -> None:
    codes = {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)}
    assert codes == {*EXIT_CODES.values(), 2}


def test_records_are_where_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    assert f"`{Path('~') / walks_home().relative_to(Path.home())}`" in PAGE


def test_a_gate_opens_as_it_says() -> None:
    assert set(OPENING) == {Outcome.PASS, Outcome.NOT_APPLICABLE}
    assert "a gate that is `unknown` is closed like one that fails" in WORDS


@pytest.mark.parametrize("procedure", sorted(set(re.findall(r"procedure walk (ha#[a-z-]+)", PAGE))))
def test_the_procedures_it_names_can_be_rehearsed(
    procedure: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    options = WalkOptions(what=procedure, record=tmp_path, by="ada", bundle=BUNDLE)
    assert walk_here(options, "never") == EXIT_CODES["paused"]
    assert "REHEARSAL" in capsys.readouterr().out
