"""The picture on the page of pauses is what the command draws of the log that it names."""

import re
from pathlib import Path

import pytest

from runbook.cli.app import run
from support.documented import ROOT

LOG = ROOT / "tests/formats/gc_log/recorded/jdk11-g1-evacuation-failure.log"
PAGES = ROOT / "docs/how-to"


@pytest.mark.parametrize("ground", ["light", "dark"])
def test_the_picture_is_drawn_by_the_command_and_its_words_are_its_text_alternative(
    ground: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "pauses.svg"
    command = ["runbook", "pauses", f"1={LOG}", "--at-least", "5", "--timeout", "9s", "--out", str(drawn)]
    monkeypatch.setattr("sys.argv", [*command, *(["--dark"] if ground == "dark" else [])])
    assert run() == 0
    words = capfd.readouterr().out.splitlines()[0]
    page = (PAGES / "see-pauses.md").read_text()
    assert re.findall(rf"!\[(.*)\]\(pauses-{ground}\.svg#only-{ground}\)", page) == [words]
    assert (PAGES / f"pauses-{ground}.svg").read_text() == drawn.read_text()
