"""The deadline counts from the first request, and loading has a bound of its own."""

import threading
import time
from pathlib import Path

import pytest

from runbook.model.ask import FactQuestion
from runbook.model.gap_kind import NOT_ASKED
from runbook.run.collection import run_clock
from runbook.run.collection.run_clock import LOADING, RunClock
from runbook.run.collection.workers import Answered, Work, Workers
from support.busy_machine import LATE
from support.slow_libraries import slow_library
from support.small_runbooks import FAKES

pytestmark = pytest.mark.usefixtures("fakes")


def begun(clock: RunClock, *took: float) -> list[threading.Thread]:
    """Workers that have loaded and want to ask."""
    threads = [threading.Thread(target=clock.ask, args=(seconds,), daemon=True) for seconds in took]
    for thread in threads:
        thread.start()
    return threads


def answered(works: list[Work], deadline: float, *folders: str) -> tuple[list[Answered], Workers]:
    workers = Workers(works, deadline, [str(FAKES), *folders])
    answers = [answer for answer in workers.come() if answer is not None]
    workers.stop()
    return answers, workers


def work(connection: str) -> Work:
    return Work(connection, connection, {}, [FactQuestion(connection, connection, "fake_act", "{}")])


def test_before_the_first_request_the_bound_is_that_of_loading_and_then_the_deadline() -> None:
    clock = RunClock(3.0, 1)
    assert clock.asked_at is None
    assert LOADING - 1 < clock.left() <= LOADING
    clock.loaded()
    clock.ask(60.0)
    assert clock.asked_at is not None
    assert 2.0 < clock.left() <= 3.0
    clock.stop()
    assert clock.left() == 0.0


def test_who_has_loaded_quickly_waits_for_nobody() -> None:
    clock = RunClock(10.0, 2)
    [thread] = begun(clock, 0.9)
    thread.join(5)
    assert not thread.is_alive()


def test_who_has_loaded_slowly_waits_for_those_beside_it_and_all_have_one_deadline() -> None:
    clock = RunClock(10.0, 3)
    clock.loaded()
    threads = begun(clock, 1.5)
    clock.loaded()
    threads += begun(clock, 0.1)  # quick itself, on a machine that is slow
    threads[0].join(0.3)
    assert clock.asked_at is None
    assert all(thread.is_alive() for thread in threads)
    clock.loaded()
    for thread in threads:
        thread.join(5)
    assert clock.asked_at is not None
    assert time.monotonic() - clock.asked_at < 1.0


def test_nobody_waits_more_than_ten_times_as_long_as_loading_took() -> None:
    clock = RunClock(0.5, 2)
    [thread] = begun(clock, 0.06)
    thread.join(0.3)
    assert thread.is_alive()
    thread.join(5)
    assert not thread.is_alive()


def test_who_waits_to_ask_is_let_go_when_all_is_stopped() -> None:
    clock = RunClock(0.5, 2)
    [thread] = begun(clock, 50.0)
    clock.stop()
    thread.join(5)
    assert not thread.is_alive()


def test_only_those_that_load_from_the_beginning_are_waited_for() -> None:
    clock = RunClock(10.0, 2)
    assert [clock.joins() for _ in range(4)] == [True, True, False, False]


def test_where_loading_takes_longer_than_the_deadline_all_are_asked(tmp_path: Path) -> None:
    names = {"slow1": 1.5, "slow2": 2.5, "slow3": 4.0}
    for name, seconds in names.items():
        slow_library(tmp_path, name, seconds)
    answers, _ = answered([work(name) for name in names], 1.0, str(tmp_path))
    assert [gap.reason for answer in answers for gap in answer.facts[""].gaps] == []
    assert {answer.ask.environment for answer in answers} == {*names}


def test_a_library_that_never_loads_ends_with_the_run_and_costs_the_others_nothing(tmp_path: Path) -> None:
    slow_library(tmp_path, "never", 3600)
    began = time.monotonic()
    answers, workers = answered([work("fake"), work("never")], 3.0, str(tmp_path))
    reasons = {answer.ask.environment: [gap.reason for gap in answer.facts[""].gaps] for answer in answers}
    assert reasons["fake"] == []
    assert reasons["never"] == [
        "never of never was not asked: its libraries had not loaded, so not asked: the deadline was reached first"
    ]
    assert workers.clock.asked_at is not None
    assert time.monotonic() - workers.clock.asked_at < 3.0 + LATE
    assert workers.clock.asked_at - began < 3.0 + LATE  # ten times as long as that of the fake at most


def test_where_nothing_loads_the_run_ends_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_clock, "LOADING", 2.0)
    slow_library(tmp_path, "never", 3600)
    began = time.monotonic()
    [answer], workers = answered([work("never")], 60.0, str(tmp_path))
    assert time.monotonic() - began < 2.0 + LATE
    assert workers.clock.asked_at is None
    assert answer.facts[""].gaps[0].reason == "never of never was not asked: its libraries had not loaded in 120 s"
    assert answer.facts[""].gaps[0].kind in NOT_ASKED
