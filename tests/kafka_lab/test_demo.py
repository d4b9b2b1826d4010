from pathlib import Path

import pytest

from kafka_lab import demo
from kafka_lab.errors import LabError


def test_a_command_of_the_demo_runs_as_its_reader_would_run_it(capfd: pytest.CaptureFixture[str]):
    assert demo._runbook("list", "--severity", "critical") == 0
    assert "ha/" in capfd.readouterr().out
    assert demo._runbook("check", "no-such-runbook") == 2
    assert "no runbook" in capfd.readouterr().err


def test_both_clusters_are_checked_and_kept_and_stopped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    ran: list[tuple[str, ...]] = []
    stopped: list[str] = []
    monkeypatch.setattr(demo, "up", lambda *_, **__: None)
    monkeypatch.setattr(demo, "break_", lambda *_: None)
    monkeypatch.setattr(demo, "down", stopped.append)
    monkeypatch.setattr(demo, "running_inventory", lambda: tmp_path / "environments.yaml")
    monkeypatch.setattr(demo, "_runbook", lambda *words: ran.append(words) or 0)
    with pytest.raises(LabError, match="expects exit code 0 of healthy and 1 of broken"):
        demo.run_demo(tmp_path, lambda _: None, keep=False)
    assert [(words[0], words[words.index("--env") + 1]) for words in ran] == [("check", "healthy"), ("check", "broken")]
    assert all(words[words.index("--results") + 1] == str(tmp_path / "results") for words in ran)
    assert stopped == ["healthy", "broken"]
