"""The page on debugging: its command tells where a probe failed, and without it only a sentence does."""

import subprocess
import sys
from pathlib import Path

import pytest

from runbook.plugins.debugging import HINT
from support.documented import ROOT
from support.small_runbooks import FAKES

PAGE = ROOT / "docs" / "how-to" / "debug.md"


def probed(folder: Path, *before: str) -> subprocess.CompletedProcess[str]:
    """Ask a probe that fails with an exception of its own."""
    (folder / "environments.yaml").write_text("environments: {prod: {fake: {}}}\n", "utf-8")
    command = [sys.executable, "-m", "runbook", *before, "probe", "fake_act", "--with", "how=raise"]
    return subprocess.run(
        [*command, "--checks", str(FAKES), "--inventory", "environments.yaml"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=800,
        check=False,
    )


@pytest.mark.parametrize("debugging", [False, True])
def test_a_mistake_of_a_probe_is_told_as_one_and_where_it_is_only_to_who_asks(
    tmp_path: Path, *, debugging: bool
) -> None:
    done = probed(tmp_path, *["--debug"][: int(debugging)])
    assert done.returncode == 3
    assert f"a mistake in the probe fake_act: RuntimeError: user: and '' {HINT}" in done.stdout
    assert ("[prod fake] Traceback" in done.stderr) == debugging
    assert ('fake_act.py", line ' in done.stderr) == debugging


def test_the_page_uses_the_words_that_the_tool_uses() -> None:
    text = " ".join(PAGE.read_text("utf-8").split())
    assert "a mistake in the probe" in text
    assert "could not be computed" in text
    assert "--debug" in HINT
    assert "RUNBOOK_DEBUG=1" in text
