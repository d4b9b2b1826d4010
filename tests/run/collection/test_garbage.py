"""A run makes hardly any cycles of objects, and looking for them would be a fourth of what it takes."""

import gc
import sys
from collections.abc import Callable

import pytest

from runbook import SELDOM
from runbook.__main__ import main as command
from runbook.cli import app
from runbook.run.collection import worker


@pytest.mark.parametrize("begin", [command, worker.main])
def test_cycles_are_looked_for_seldom(begin: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(gc, "set_threshold", asked.append)
    monkeypatch.setattr(app, "run", lambda: 0)
    for name in ("_silenced", "_prepare", "_work"):
        monkeypatch.setattr(worker, name, lambda *_: None)
    monkeypatch.setattr(sys, "argv", ["runbook", "kafka"])
    begin()
    assert asked == [SELDOM]
