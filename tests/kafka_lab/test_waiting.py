"""A wait that lasts says what it waits for."""

import itertools
from collections.abc import Callable

import pytest

from kafka_lab import waiting
from kafka_lab.errors import LabError
from kafka_lab.state import LabState
from kafka_lab.waiting import saying, wait_for_brokers, wait_until


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second goes by with each look at the clock."""
    seconds = itertools.count()
    monkeypatch.setattr(waiting.time, "monotonic", lambda: float(next(seconds)))
    monkeypatch.setattr(waiting.time, "sleep", lambda _: None)


def after(looks: int) -> Callable[[], bool]:
    left = iter(range(looks))
    return lambda: next(left, None) is None


def test_what_is_there_at_once_is_not_worth_a_word() -> None:
    said: list[str] = []
    with saying(said.append):
        wait_until(after(0), "rain", within=60)
    assert said == []


def test_what_lasts_is_said_and_said_again() -> None:
    said: list[str] = []
    with saying(said.append):
        wait_until(after(13), "rain", within=60)
    assert said == ["Waiting for rain", "still waiting for rain", "still waiting for rain"]
    wait_until(after(13), "rain", within=60)
    assert len(said) == 3


def test_one_in_vain_says_for_how_long() -> None:
    with pytest.raises(LabError, match=r"^Waited 20 s in vain for rain$"):
        wait_until(lambda: False, "rain", within=20)


def test_waiting_for_brokers_is_said_too(pretend: Callable[[str], LabState], monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    come = after(7)
    monkeypatch.setattr(waiting, "_sees_all", lambda *_: come())
    with saying(said.append):
        wait_for_brokers(pretend("one"))
    assert said == ["Waiting for all brokers of lab one to answer"]
