"""Which topics an earlier measurement left, and which are of one that may still go on."""

import time
from pathlib import Path
from typing import Any

import pytest

from runbook.canary import leftovers
from runbook.canary.leftovers import hold, marked, release, sweep


class _Admin:
    def __init__(self, *names: str) -> None:
        self.topics = dict.fromkeys(names)

    def list_topics(self, **_: Any) -> Any:
        return self


@pytest.fixture
def removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    found: list[str] = []
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(leftovers, "remove", lambda _, mark, __: found.append(mark) or [])
    return found


def test_a_run_whose_time_is_over_left_its_topics(removed: list[str]):
    old, new = marked("runbook-canary", -5), marked("runbook-canary", 60)
    swept, standing = sweep(_Admin(f"{old}-3", f"{new}-3", "orders", "runbook-canary-1234abcd"), "runbook-canary")
    assert (swept, standing, removed) == ([f"{old}-3"], [f"{new}-3"], [old])


def test_a_run_that_nobody_holds_any_more_was_killed(removed: list[str]):
    mark = marked("runbook-canary", 60)
    held = hold(mark)
    assert held is not None
    assert sweep(_Admin(f"{mark}-3"), "runbook-canary") == ([], [f"{mark}-3"])
    held.close()
    assert sweep(_Admin(f"{mark}-3"), "runbook-canary") == ([f"{mark}-3"], [])
    assert removed == [mark]


def test_a_run_of_another_machine_is_told_and_not_touched(removed: list[str]):
    mark = marked("runbook-canary", 60)
    release(mark)  # as it never was here
    assert sweep(_Admin(f"{mark}-3"), "runbook-canary") == ([], [f"{mark}-3"])
    assert removed == []


def test_the_name_says_when_it_is_over():
    mark = marked("t", 60)
    assert abs(int(mark.removeprefix("t-measure-")[:8], 16) - time.time() - 60) < 10
