"""Workers that are forked from one process: as those that are started one by one, and none is left behind."""

import json
import os
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
import pytest

from runbook.model.ask import FactQuestion
from runbook.model.fact import Fact
from runbook.plugins.catalog import catalog
from runbook.run.collection.fork_process import FORKS
from runbook.run.collection.fork_server import CAN_FORK, ForkServer, WorkerProcess
from runbook.run.collection.prewarmed_workers import AT_ONCE, PrewarmedWorkers
from runbook.run.collection.workers import MOST, Work, Workers
from support.small_runbooks import FAKES
from support.until import until

pytestmark = [
    pytest.mark.usefixtures("fakes"),
    pytest.mark.skipif(not CAN_FORK, reason="workers are started one by one here"),
]


def asked(environment: str, **given: Any) -> FactQuestion:
    return FactQuestion(environment, "fake", "fake_act", json.dumps(given, sort_keys=True))


def workers_for(*asks: FactQuestion, deadline: float = 60.0, prewarmed: PrewarmedWorkers | None = None) -> Workers:
    works = [Work(ask.environment, "fake", {}, [ask]) for ask in asks]
    return Workers(works, deadline, [str(FAKES)], prewarmed)


def facts_of(workers: Workers, count: int) -> dict[str, Fact]:
    answers = [workers.answers.get(timeout=800) for _ in range(count)]
    return {answered.ask.environment: answered.facts[""] for answered in answers}


def below(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def forking() -> list[psutil.Process]:
    """The processes that fork workers, once there are some: one that has just begun has no command line yet."""
    found: list[psutil.Process] = []

    def some() -> bool:
        found[:] = [child for child in psutil.Process().children() if _forks(child)]
        return bool(found)

    assert until(some)
    return found


def _forks(process: psutil.Process) -> bool:
    try:
        return process.cmdline()[-1:] == [FORKS]
    except psutil.NoSuchProcess:
        return False


def opened(processes: list[psutil.Process]) -> list[str]:
    """The pipes and sockets that they have open, each once for each process."""
    links = [{*Path(f"/proc/{process.pid}/fd").iterdir()} for process in processes]
    names = [{str(link.readlink()) for link in mine if link.is_symlink()} for mine in links]
    return [name for mine in names for name in mine if name.startswith(("pipe:", "socket:"))]


def end_of(worker: WorkerProcess) -> int:
    code = worker.wait()
    for end in (worker.stdin, worker.stdout):
        assert end is not None
        end.close()
    return code


def test_workers_of_several_environments_have_one_parent_and_answer_each_for_its_own() -> None:
    asks = [asked(f"site-{number}", text=f"{number}", seconds=0.3) for number in range(AT_ONCE + 4)]
    workers = workers_for(*asks)
    [parent] = forking()
    seen = facts_of(workers, len(asks))
    workers.stop()
    assert {name: fact.columns["text"] for name, fact in seen.items()} == {
        f"site-{number}": [f"{number}"] for number in range(len(asks))
    }
    assert until(lambda: not parent.is_running())


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("abort", "the fake client library took its process down (by SIGABRT)"),
        ("exit", "the fake client library took its process down (with exit code 3)"),
        ("garbage", "the fake worker sent something that is no answer"),
    ],
)
def test_what_takes_one_down_costs_no_other_environment(how: str, reason: str) -> None:
    workers = workers_for(asked("bad", how=how), *(asked(f"fine-{number}", text="x") for number in range(4)))
    seen = facts_of(workers, 5)
    workers.stop()
    assert [gap.reason for gap in seen.pop("bad").gaps] == [reason]
    assert all(fact.complete for fact in seen.values())


@pytest.mark.parametrize(
    ("given", "settings"), [({"how": "hang"}, {}), ({"how": "hang in C"}, {}), ({}, {"manner": "hang"})]
)
def test_dead_environments_hold_no_place_of_others(given: dict[str, Any], settings: dict[str, Any]) -> None:
    dead = [Work(f"dead-{number}", "fake", settings, [asked(f"dead-{number}", **given)]) for number in range(AT_ONCE)]
    well = [Work(f"well-{number}", "fake", {}, [asked(f"well-{number}", text="here")]) for number in range(2)]
    workers = Workers([*dead, *well], 600, [str(FAKES)])
    seen = facts_of(workers, len(well))  # long before the dead are given up
    workers.stop()
    assert {name: fact.columns["text"] for name, fact in seen.items()} == {"well-0": ["here"], "well-1": ["here"]}


def test_no_more_workers_are_there_than_may_be_also_where_all_are_silent() -> None:
    workers = workers_for(*(asked(f"dead-{number}", how="hang") for number in range(MOST + 3)), deadline=600)
    [parent] = forking()
    assert until(lambda: len(below(parent)) == MOST)
    workers.stop()


def test_a_forked_worker_has_nothing_open_of_others() -> None:
    workers = workers_for(*(asked(f"dead-{number}", how="hang") for number in range(3)))
    [parent] = forking()
    own_pipes_alone = until(lambda: sorted(Counter(opened(below(parent))).values()) == [1, 1, 1, 1, 1, 1])
    workers.stop()
    assert own_pipes_alone  # of each its job and its answers


def test_nothing_is_forked_where_libraries_started_threads_as_they_were_loaded() -> None:
    script = (
        "import socket, threading, time\n"
        "from runbook.run.collection.fork_process import serve\n"
        "threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n"
        "serve(socket.socket(fileno=0), lambda: None)\n"
    )
    server = ForkServer([sys.executable, "-c", script])
    with pytest.raises(BrokenPipeError):
        server.fork(lambda: 60.0)
    server.stop()


@pytest.mark.parametrize("connection", catalog("connections").names())
def test_loading_the_libraries_of_a_connection_starts_no_thread(connection: str) -> None:
    server = ForkServer([sys.executable, "-P", "-m", "runbook.run.collection.worker", connection, FORKS])
    worker = server.fork(lambda: 60.0)
    worker.kill()
    assert end_of(worker) == -signal.SIGKILL
    server.stop()


@pytest.mark.parametrize("code", [0, 7])
def test_how_a_forked_worker_ended_is_told(code: int) -> None:
    script = (
        "import socket, sys\n"
        "from runbook.run.collection.fork_process import serve\n"
        f"serve(socket.socket(fileno=0), lambda: sys.exit({code}))\n"
    )
    server = ForkServer([sys.executable, "-c", script])
    worker = server.fork(lambda: 60.0)
    assert end_of(worker) == code
    server.stop()


def test_stopping_ends_who_forks_and_all_that_were_forked() -> None:
    workers = workers_for(*(asked(f"dead-{number}", how="hang in C") for number in range(3)))
    [parent] = forking()
    assert until(lambda: len(below(parent)) == 3)
    forked = below(parent)
    workers.stop()
    gone, alive = psutil.wait_procs([parent, *forked], timeout=120)
    assert (len(gone), alive) == (4, [])


def test_where_the_process_that_forks_is_gone_workers_are_started_one_by_one() -> None:
    prewarmed = PrewarmedWorkers()
    prewarmed.prepare("fake", 2)
    [parent] = forking()
    os.kill(parent.pid, signal.SIGKILL)
    assert until(lambda: parent.status() == psutil.STATUS_ZOMBIE)
    workers = workers_for(*(asked(f"site-{number}", text="x") for number in range(3)), prewarmed=prewarmed)
    seen = facts_of(workers, 3)
    workers.stop()
    assert all(fact.complete for fact in seen.values())
