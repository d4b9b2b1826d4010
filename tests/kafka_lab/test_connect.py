"""Connect workers of a lab that are no more than sleeping processes."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kafka_lab import breaking, connect, parts, processes
from kafka_lab.errors import LabError
from kafka_lab.inventory import environment
from kafka_lab.state import LabState

Pretend = Callable[[str], LabState]


@pytest.fixture
def lab(pretend: Pretend, monkeypatch: pytest.MonkeyPatch) -> Iterator[LabState]:
    """A lab with the part; its workers are asleep."""

    def sleep(lab: LabState, worker: connect.LabWorker) -> None:
        folder = Path(lab.folder)
        worker.process = processes.start(["sleep", "60"], output=folder / "out", folder=folder)

    part = parts._load("connect")
    monkeypatch.setattr(part, "fetch_jars", lambda *_: Path("/jars"))
    monkeypatch.setattr(part, "create_topics", lambda *_: None)
    monkeypatch.setattr(connect, "start", sleep)
    for waits in ("wait_for_workers", "give_connectors", "wait_for_tasks"):
        monkeypatch.setattr(connect, waits, lambda *_: None)
    made = pretend("one")
    made.parts["connect"] = part.prepare(made, lambda _: None)
    made.parts["connect"] = part.start(made, lambda _: None)
    yield made
    parts.stop(made)


def conditions(lab: LabState) -> list[str]:
    return [processes.condition(worker.process) for worker in connect.workers_of(lab)]


def test_the_inventory_names_the_workers(lab: LabState):
    described = environment(lab)
    urls = {worker.name: worker.url for worker in connect.workers_of(lab)}
    assert described["connect"] == {"workers": urls}
    assert list(urls) == ["connect-1", "connect-2"]
    assert "connect" not in described["absent"]


def test_a_worker_is_killed_and_healing_brings_it_back(lab: LabState):
    fault = breaking._load("stop-connect-worker")
    fault.inject(lab)
    assert conditions(lab) == ["alive", "stopped"]
    fault.heal(lab)
    assert conditions(lab) == ["alive", "alive"]


def test_workers_are_stopped_with_the_lab(lab: LabState):
    parts.stop(lab)
    assert conditions(lab) == ["stopped", "stopped"]


@pytest.mark.parametrize("fault", ["poison-pill", "dead-letters", "stop-connect-worker"])
def test_without_the_part_a_fault_says_how_to_get_it(pretend: Pretend, fault: str):
    with pytest.raises(LabError, match="runbook lab up --name two --with connect"):
        breaking._load(fault).inject(pretend("two"))


def test_the_labs_sink_does_what_the_runbook_asks_of_one(lab: LabState):
    settings = connect.shipments_sink(lab)
    assert settings["errors.deadletterqueue.topic.name"] == connect.DEAD_LETTERS
    assert settings["errors.deadletterqueue.context.headers.enable"] == "true"
    assert settings["topics"] == connect.TOPIC
