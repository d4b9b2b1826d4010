import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from runbook.model.ask import FactQuestion
from runbook.model.fact import Fact
from runbook.model.gap_kind import NOT_ASKED
from runbook.run.collection import run_clock
from runbook.run.collection.prewarmed_workers import AT_ONCE, PrewarmedWorkers
from runbook.run.collection.run_clock import LOADING
from runbook.run.collection.worker import THREADS
from runbook.run.collection.workers import MOST, Work, Workers
from support.busy_machine import LATE
from support.slow_libraries import slow_library
from support.small_runbooks import FAKES
from support.until import until

pytestmark = pytest.mark.usefixtures("fakes")


def asked(environment: str = "prod", probe: str = "fake_act", looks: str = "", **given: Any) -> FactQuestion:
    return FactQuestion(environment, "fake", probe, json.dumps(given, sort_keys=True), looks=looks)


class Seen:
    """What workers answered, in their order, and how long it took."""

    def __init__(
        self,
        *works: Work,
        deadline: float = 10.0,
        prewarmed: PrewarmedWorkers | None = None,
        folders: Sequence[str] = (),
    ) -> None:
        """Serve these works to the end."""
        workers = Workers(works, deadline, [str(FAKES), *folders], prewarmed)
        count = sum(len(work.asks) for work in works)
        self.answers = [workers.answers.get(timeout=LOADING + deadline + LATE) for _ in range(count)]
        assert workers.clock.asked_at is not None
        self.took = time.monotonic() - workers.clock.asked_at
        workers.stop()
        assert workers.answers.empty()
        assert self.took < deadline + LATE

    def fact(self, ask: FactQuestion, look: str = "") -> Fact:
        """The fact that came of an ask."""
        [facts] = [answered.facts for answered in self.answers if answered.ask == ask]
        return facts[look]

    def reason(self, ask: FactQuestion, look: str = "") -> str:
        """Why an ask has no rows."""
        fact = self.fact(ask, look)
        assert len(fact) == 0
        return "; ".join(gap.reason for gap in fact.gaps)


def work(*asks: FactQuestion, environment: str = "prod", **settings: Any) -> Work:
    return Work(environment, "fake", settings, list(asks))


WELL = asked(text="well", seconds=0.3)


def test_every_ask_is_answered() -> None:
    asks = [asked(text=str(i)) for i in range(30)]
    seen = Seen(work(*asks))
    assert [seen.fact(ask).columns["text"] for ask in asks] == [[str(i)] for i in range(30)]


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("abort", "the fake client library took its process down (by SIGABRT)"),
        ("segfault", "the fake client library took its process down (by SIGSEGV)"),
        ("exit", "the fake client library took its process down (with exit code 3)"),
        ("garbage", "the fake worker sent something that is no answer"),
        ("endless garbage", "the fake worker sent something that is no answer"),
        ("sys.exit", "the fake worker ended without an answer"),
    ],
)
def test_what_takes_a_worker_down_costs_the_facts_in_flight_and_the_rest_gets_a_fresh_one(
    how: str, reason: str
) -> None:
    bad = asked(how=how)
    rest = [asked(text=str(i)) for i in range(12)]  # more than one worker has in flight
    seen = Seen(work(bad, *[asked(text=f"slow {i}", seconds=0.2) for i in range(7)], *rest))
    assert seen.reason(bad) == reason
    assert [seen.fact(ask).columns["text"] for ask in rest] == [[str(i)] for i in range(12)]


def test_facts_answered_before_a_crash_are_kept() -> None:
    good, bad = asked(text="good"), asked(how="abort", seconds=0.5)
    seen = Seen(work(good, bad))
    assert seen.fact(good).complete
    assert "SIGABRT" in seen.reason(bad)


@pytest.mark.parametrize("how", ["hang", "hang in C"])
def test_a_probe_that_hangs_is_given_up_by_the_deadline_and_the_others_are_answered(how: str) -> None:
    # A library that holds the interpreter's lock stops everything in its process, so it comes last.
    bad = asked(how=how, seconds=0.7)
    seen = Seen(work(WELL, bad), deadline=3.0)
    assert seen.fact(WELL).columns["text"] == ["well"]
    assert seen.reason(bad) == "fake of prod had not answered by the deadline"


@pytest.mark.parametrize("manner", ["hang", "hang in C"])
def test_a_connection_that_hangs_is_given_up_by_the_deadline(manner: str) -> None:
    asks = [asked(text=str(i)) for i in range(3)]
    seen = Seen(work(*asks, manner=manner), deadline=1.0)
    assert {seen.reason(ask) for ask in asks} == {"fake of prod had not answered by the deadline"}


@pytest.mark.parametrize(("manner", "how"), [("abort", "by SIGABRT"), ("exit", "with exit code 7")])
def test_a_connection_that_takes_every_worker_down_is_not_tried_for_ever(manner: str, how: str) -> None:
    asks = [asked(text=str(i)) for i in range(3)]
    seen = Seen(work(*asks, manner=manner), deadline=20.0)
    assert seen.took < 20.0  # it was given up before the deadline
    if manner == "abort":
        assert {seen.reason(ask) for ask in asks} == {f"the fake client library took its process down ({how})"}
    assert all(not seen.fact(ask).complete for ask in asks)


def test_what_is_slow_but_in_time_is_answered() -> None:
    slow = asked(text="slow", seconds=1.0)
    assert Seen(work(slow), deadline=6.0).fact(slow).columns["text"] == ["slow"]


def test_a_large_fact_arrives_whole() -> None:
    large = asked(text="x" * 100, rows=100_000)
    fact = Seen(work(large), deadline=20.0).fact(large)
    assert (len(fact), fact.columns["number"][-1], fact.complete) == (100_000, 99_999, True)


def test_a_probe_that_asks_for_all_memory_gets_an_error_and_the_machine_stays_up() -> None:
    greedy = asked(how="memory")
    assert Seen(work(greedy)).reason(greedy) == "it needed more memory than it was given"


def test_an_error_of_a_probe_is_its_own(capfd: pytest.CaptureFixture[str]) -> None:
    bad, chatty = asked(how="raise"), asked(how="chatter", text="said")
    seen = Seen(work(bad, chatty, WELL, password="hunter2hunter2"))
    assert seen.reason(bad) == (
        "a mistake in the probe fake_act: RuntimeError: user:«hidden» and '«hidden»' (runbook --debug shows where)"
    )
    assert seen.fact(chatty).columns["text"] == ["said"]
    assert seen.fact(WELL).complete
    assert capfd.readouterr() == ("", "")


def test_who_debugs_is_told_where_it_happened_what_libraries_log_and_how_long_it_took(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNBOOK_DEBUG", "1")
    Seen(
        work(asked(how="chatter", text="said", seconds=0.2), asked(how="raise", seconds=0.4), password="hunter2hunter2")
    )
    out, printed = capfd.readouterr()
    assert out == ""
    assert "[prod fake] Traceback (most recent call last):" in printed
    assert 'fake_act.py", line ' in printed
    assert "RuntimeError: user:«hidden» and '«hidden»'" in printed
    assert "[prod fake] fake_act took 0." in printed
    assert ": 1 rows, 0 gaps" in printed
    assert re.search(r"\[prod fake\] \d+ ms fake WARNING noise of a library's log", printed)
    assert "noise on standard" not in printed  # who prints at once with others can cut a secret in two
    assert "hunter2" not in printed


@pytest.mark.parametrize("how", ["abort", "garbage", "raise", "sys.exit", "segfault"])
def test_nothing_of_a_workers_end_shows_on_the_terminal(how: str, capfd: pytest.CaptureFixture[str]) -> None:
    Seen(work(asked(how=how)))
    assert capfd.readouterr() == ("", "")


def test_two_looks_are_both_lost_with_their_worker_and_the_rest_is_not() -> None:
    looked = asked(text="looked", looks="800ms")
    bad = asked(how="abort", seconds=0.4)
    rest = [asked(text=str(i)) for i in range(12)]
    seen = Seen(work(looked, bad, *rest))
    assert "SIGABRT" in seen.reason(looked)
    assert "SIGABRT" in seen.reason(looked, "before")
    assert all(seen.fact(ask).complete for ask in rest)


def test_where_a_run_had_used_its_time_before_it_asked_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_clock, "_QUICK", 100.0)  # however long it loads on a busy machine, it waits for nobody
    asks = {seconds: asked(f"slow{seconds}", how="hang") for seconds in (4, 60)}
    folders = [slow_library(tmp_path / str(seconds), f"slow{seconds}", seconds) for seconds in asks]
    late = [Work(ask.environment, f"slow{seconds}", {}, [ask]) for seconds, ask in asks.items()]
    seen = Seen(work(WELL), *late, deadline=8.0, folders=folders)
    assert seen.fact(WELL).complete
    assert re.fullmatch(
        r"slow4 of slow4 had not answered by the deadline "
        r"\(this run had used \d\.\d s of its 8 s before it asked: --deadline gives more\)",
        seen.reason(asks[4]),
    )
    assert seen.reason(asks[60]) == (
        "slow60 of slow60 was not asked: its libraries had not loaded, so not asked: the deadline was reached first"
    )


def test_two_looks_that_do_not_fit_the_deadline_are_both_lacking() -> None:
    looked = asked(looks="60s")
    seen = Seen(work(looked), deadline=10.0)  # a busy machine takes more than one to start a process
    late = "the deadline comes before a second look, 60s after the first: give --deadline 120s"
    assert seen.reason(looked) == seen.reason(looked, "before") == late
    assert seen.fact(looked).gaps[0].kind in NOT_ASKED


def test_of_what_hangs_what_waited_behind_it_was_not_asked() -> None:
    hung = [asked(text=f"hung{i}", how="hang") for i in range(THREADS)]
    seen = Seen(work(*hung, last := asked(text="last")), deadline=2.0)
    assert {seen.reason(ask) for ask in hung} == {"fake of prod had not answered by the deadline"}
    assert seen.reason(last) == "fake of prod was not asked this: not asked: the deadline was reached first"
    assert seen.fact(last).gaps[0].kind in NOT_ASKED


def test_one_environment_that_hangs_keeps_no_other_waiting() -> None:
    hung = [asked(f"hung{i}", how="hang") for i in range(AT_ONCE - 1)]
    fine = [asked(f"fine{i}", text="fine") for i in range(4)]
    works = [work(ask, environment=ask.environment) for ask in [*hung, *fine]]
    workers = Workers(works, 120, [str(FAKES)])
    first = [workers.answers.get(timeout=800) for _ in fine]
    workers.stop()
    assert {answered.ask for answered in first} == set(fine)
    assert all(answered.facts[""].columns["text"] == ["fine"] for answered in first)


def test_works_that_never_got_their_turn_say_so() -> None:
    hung = [asked(f"hung{i}", how="hang") for i in range(MOST)]
    last = asked("last", text="last")
    seen = Seen(*[work(ask, environment=ask.environment) for ask in [*hung, last]], deadline=3.0)
    assert seen.reason(last) == "fake of last was not asked: not asked: the deadline was reached first"
    assert seen.fact(last).gaps[0].kind in NOT_ASKED


def children() -> list[psutil.Process]:
    return [child for child in psutil.Process().children(recursive=True) if is_worker(child)]


def is_worker(process: psutil.Process) -> bool:
    try:
        return "runbook.run.collection.worker" in process.cmdline()
    except psutil.NoSuchProcess:  # it ended just now, or has and is not collected yet
        return False


def left_behind() -> list[psutil.Process]:
    """The workers that are still there after a while."""
    return psutil.wait_procs(children(), timeout=120)[1]


def test_workers_that_are_stopped_end_at_once() -> None:
    workers = Workers([work(asked(how="hang"))], 60, [str(FAKES)])
    began = time.monotonic()
    while not children() and time.monotonic() - began < 60:
        time.sleep(0.01)
    left = children()
    assert left
    workers.stop()
    assert left_behind() == []


def test_no_process_is_left_behind() -> None:
    Seen(work(asked(how="hang"), WELL), deadline=1.5)
    assert left_behind() == []


def test_a_worker_whose_parent_was_killed_ends_by_itself_even_when_its_library_hangs() -> None:
    script = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from runbook.model.ask import FactQuestion\n"
        "from runbook.plugins.catalog import add_user_checks\n"
        "from runbook.run.collection.workers import Work, Workers\n"
        "add_user_checks(Path(sys.argv[1]))\n"
        "ask = FactQuestion('prod', 'fake', 'fake_act', '{\"how\": \"hang in C\"}')\n"
        "Workers([Work('prod', 'fake', {}, [ask])], 1.0, [sys.argv[1]])\n"
        "time.sleep(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script, str(FAKES)])
    began = time.monotonic()
    orphans: list[psutil.Process] = []
    while not orphans and time.monotonic() - began < 60:
        orphans = psutil.Process(parent.pid).children()
        time.sleep(0.01)
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    assert orphans
    gone, alive = psutil.wait_procs(orphans, timeout=120)
    assert (bool(gone), alive) == (True, [])


def test_a_process_that_was_prepared_is_used_and_what_is_left_over_ends() -> None:
    prewarmed = PrewarmedWorkers()
    for _ in range(3):
        prewarmed.prepare("fake")
    two = [asked(f"e{i}", text="x", seconds=0.3) for i in range(2)]
    seen = Seen(*[work(ask, environment=ask.environment) for ask in two], prewarmed=prewarmed)
    assert all(seen.fact(ask).complete for ask in two)
    assert left_behind() == []


def test_a_process_that_died_before_it_was_needed_costs_nothing() -> None:
    prewarmed = PrewarmedWorkers()
    prewarmed.prepare("fake")
    [(_, process)] = prewarmed._idle
    process.kill()
    process.wait()
    assert Seen(work(WELL), prewarmed=prewarmed).fact(WELL).complete
    process.communicate()


def test_no_more_processes_are_prepared_than_may_run_at_once() -> None:
    prewarmed = PrewarmedWorkers()
    for _ in range(AT_ONCE + 2):
        prewarmed.prepare("fake")
    assert until(lambda: len(children()) >= AT_ONCE)  # one that has just begun has no command line yet
    assert len(children()) == AT_ONCE
    prewarmed.stop()
    assert children() == []


def test_code_in_the_current_folder_is_never_loaded(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "msgspec.py").write_text("raise SystemExit(9)\n")
    monkeypatch.chdir(tmp_path)
    assert Seen(work(WELL)).fact(WELL).complete
