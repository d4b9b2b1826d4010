"""Kept evidence is opened by name, and judged by the command that is printed."""

import shlex
from pathlib import Path

import pytest

from runbook.cli.followed_run import execute
from runbook.run.check_run import Options
from support.evidence import record
from support.evidence.opened import main


def test_what_is_opened_is_judged_by_the_command_that_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "plain/stop-broker/during"
    file = tmp_path / "seen.json"
    assert main([name, str(file)]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if "check ha" in line)
    assert shlex.split(line) == ["runbook", "check", "ha", "--from", str(file)]
    results = execute(Options(runbooks=["ha"], bundle=file, deadline=60)).run.results
    assert {result.check: result.outcome for result in results}["ha/every-broker-answers"] == "fail"


@pytest.mark.parametrize("words", [[], ["plain/stop-broker/during"], ["plain/no-such-scene/during", "x.json"]])
def test_what_is_not_kept_is_said(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert "SHAPE/SCENE/STATE" in (said := capsys.readouterr().err) or str(record.FOLDER) in said
