"""A lab with a standby whose brokers and workers are no more than sleeping processes."""

import datetime as dt
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import kafka_lab as labs
from kafka_lab import breaking, connect, mirrors, parts, processes
from kafka_lab.errors import LabError
from kafka_lab.inventory import environment, running_inventory
from kafka_lab.state import LabBroker, LabState, known
from runbook.model.errors import UsageError
from runbook.parse.inventory import parse_inventory

Pretend = Callable[[str], LabState]


def sleep(lab: LabState) -> processes.Process:
    return processes.start(["sleep", "60"], output=Path(lab.folder, "out"), folder=Path(lab.folder))


def started(lab: LabState, broker: LabBroker) -> None:
    """In place of a start: it sleeps."""
    broker.process = sleep(lab)
    lab.save()


@pytest.fixture
def lab(pretend: Pretend, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[LabState]:
    """A lab with the part; the standby's brokers and workers are asleep, and the link really runs."""

    def worker(lab: LabState, started: connect.LabWorker) -> None:
        started.process = sleep(lab)

    part = parts._load("dr")
    monkeypatch.setattr(part, "fetch_jars", lambda *_: Path("/jars"))
    monkeypatch.setattr(part.jmx, "fetch_agents", lambda _: Path("/agents"))
    for waits in ("create_topics", "write_some", "wait_for_full_isr", "format_all", "wait_for_brokers"):
        monkeypatch.setattr(part, waits, lambda *_, **__: None)
    monkeypatch.setattr(part, "start_broker", started)
    monkeypatch.setattr(connect, "start", worker)
    monkeypatch.setattr(connect, "wait_for_workers", lambda *_: None)
    monkeypatch.setattr(part.mirrors, "start", lambda _: None)
    made = pretend("one")
    for does in (part.prepare, part.start):
        made.parts["dr"] = does(made, lambda _: None)
        made.save()
    yield made
    labs.down("one", home=tmp_path)


@pytest.fixture(params=[0.9, 0.1], ids=["a disk with room", "a disk that is nearly full"])
def free(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> float:
    """The share of this machine's disk that is free, whatever it really is."""
    share: float = request.param
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(total=1000, free=int(1000 * share)))
    return share


def conditions(lab: LabState) -> list[str]:
    there = mirrors.standby_of(lab)
    held = [*there.brokers, *connect.workers_of(there)]
    return [processes.condition(holder.process) for holder in held]


def link_of(lab: LabState) -> processes.Process:
    return processes.Process(**lab.parts["dr"]["link"]["process"])


@pytest.mark.usefixtures("free")
def test_the_inventory_has_both_sites_the_link_and_the_one_that_is_meant(lab: LabState, tmp_path: Path):
    file = running_inventory(tmp_path)
    assert file is not None
    for path in (file, Path(lab.folder, "environments.yaml")):
        inventory = parse_inventory(path.read_text("utf-8"), str(path), dt.datetime.now(dt.UTC).date())
        assert list(inventory.targets) == ["one", "one-standby"]
        assert [(mirror.from_, mirror.to, mirror.kind) for mirror in inventory.mirrors] == [
            ("one", "one-standby", "mm2")
        ]
        assert inventory.default == "one"
        there = inventory.targets["one-standby"].connections
        assert list(there["connect"]["workers"]) == list(there["jolokia"]["applications"]) == ["connect-1", "connect-2"]
        assert there["kafka"] != inventory.targets["one"].connections["kafka"]
    assert running_inventory(tmp_path) == file


@pytest.mark.usefixtures("free")
def test_of_two_labs_none_is_the_one_that_is_meant(lab: LabState, pretend: Pretend, tmp_path: Path):
    del lab
    pretend("two")
    file = running_inventory(tmp_path)
    assert file is not None
    inventory = parse_inventory(file.read_text("utf-8"), str(file), dt.datetime.now(dt.UTC).date())
    assert (list(inventory.targets), inventory.default) == (["one", "one-standby", "two"], "")


def test_a_standby_says_nothing_of_shipments_which_its_workers_do_not_have(lab: LabState, free: float):
    said = environment(mirrors.standby_of(lab)).get("params", {})
    assert set(said) == ({"ha/log-directories-have-room"} if free < 0.25 else set())


def test_status_shows_the_standby_and_that_the_lab_runs_without_its_primary(lab: LabState, tmp_path: Path):
    for broker in lab.brokers:
        processes.terminate(broker.process, patience=0)
    seen = labs.status("one", home=tmp_path)
    assert [broker.condition for broker in seen.brokers] == ["stopped"] * 3
    [there] = seen.beside
    assert (there.name, [broker.condition for broker in there.brokers]) == ("one-standby", ["alive"] * 3)
    assert [broker.rack for broker in there.brokers] == ["dr-a", "dr-b", "dr-c"]
    assert seen.running
    assert running_inventory(tmp_path) is not None


def test_down_ends_both_sites_and_the_link(lab: LabState, tmp_path: Path):
    before, forwards = mirrors.standby_of(lab), link_of(lab)
    assert labs.down("one", home=tmp_path)
    held = [*lab.brokers, *before.brokers, *connect.workers_of(before)]
    assert {processes.condition(holder.process) for holder in held} == {"stopped"}
    assert processes.condition(forwards) == "stopped"
    assert list(tmp_path.rglob("lab.json")) == []
    assert not Path(before.folder, "data").exists()


def test_healing_brings_back_what_was_lost_of_the_standby(
    lab: LabState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    done: list[str] = []
    monkeypatch.setattr(breaking, "bring_back", lambda cluster: done.append(f"bring back {cluster.name}"))
    monkeypatch.setattr(breaking, "make_whole", lambda cluster: done.append(f"make whole {cluster.name}"))
    there = mirrors.standby_of(lab)
    processes.terminate(connect.workers_of(there)[0].process, patience=0)
    processes.terminate(link_of(lab), patience=0)
    assert labs.heal("one", home=tmp_path) == []
    assert conditions(lab) == ["alive"] * 5
    assert processes.condition(link_of(known("one", tmp_path))) == "alive"
    assert done == ["bring back one", "bring back one-standby", "make whole one", "make whole one-standby"]


FAULTS = sorted(fault for fault in breaking.faults() if breaking.seen_in(fault) == "dr")


@pytest.mark.parametrize("fault", FAULTS)
def test_without_the_part_a_fault_says_how_to_get_it(pretend: Pretend, fault: str):
    alone = pretend("two")
    with pytest.raises(LabError, match="runbook lab up --name two --with dr"):
        breaking._load(fault).inject(alone)
    assert {broker.condition for broker in alone.brokers} == {"alive"}


def test_no_lab_is_called_as_the_standby_of_another(lab: LabState, pretend: Pretend, tmp_path: Path):
    del lab
    with pytest.raises(UsageError, match="one-standby is a cluster of lab one"):
        labs.up("one-standby", home=tmp_path, progress=lambda _: None)
    pretend("two-standby")
    with pytest.raises(LabError, match="would be called two-standby, as another lab is"):
        parts._load("dr").prepare(pretend("two"), lambda _: None)


def test_parts_that_move_listeners_are_refused_beside_it():
    with pytest.raises(UsageError, match="can't have both dr and security: start two labs"):
        parts.chosen(["security", "dr"])


def test_what_others_keep_for_themselves_is_not_copied(lab: LabState):
    theirs = ("connect-configs", "mirrors-connect-status", "mm2-offset-syncs.standby.internal", "__consumer_offsets")
    excluded = mirrors.source(lab)["topics.exclude"].split(",")
    assert all(any(re.fullmatch(pattern, topic) for pattern in excluded) for topic in (mirrors.CHANGELOG, *theirs))
    assert not any(re.fullmatch(pattern, topic) for pattern in excluded for topic in ("orders", "connections"))
