"""ZooKeeper servers of a lab that are no more than sleeping processes."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kafka_lab import breaking, parts, processes, zookeeper
from kafka_lab.configuration import settings_of
from kafka_lab.errors import LabError
from kafka_lab.inventory import environment
from kafka_lab.state import LabState

Pretend = Callable[[str], LabState]


@pytest.fixture
def lab(pretend: Pretend, monkeypatch: pytest.MonkeyPatch) -> Iterator[LabState]:
    """A lab in ZooKeeper mode; its servers do what a test lets them."""

    def sleep(lab: LabState, server: zookeeper.LabZooKeeper) -> None:
        folder = Path(lab.folder)
        server.process = processes.start(["sleep", "60"], output=folder / "out", folder=folder)

    monkeypatch.setattr(zookeeper, "start", sleep)
    monkeypatch.setattr(zookeeper, "in_sync", living)
    made = pretend("one")
    made.parts["zookeeper"] = {}
    made.parts["zookeeper"] = parts._load("zookeeper").prepare(made, lambda _: None)
    yield made
    parts.stop(made)


def living(servers: list[zookeeper.LabZooKeeper]) -> int:
    count = sum(processes.condition(server.process) == "alive" for server in servers)
    return count if 2 * count > len(servers) else 0


def conditions(lab: LabState) -> list[str]:
    return [processes.condition(server.process) for server in zookeeper.servers_of(lab)]


def test_three_servers_know_each_other(lab: LabState):
    folder = Path(lab.folder)
    texts = [(folder / "config" / f"zookeeper-{number}.properties").read_text() for number in (1, 2, 3)]
    assert len({"".join(line for line in text.splitlines() if line.startswith("server.")) for text in texts}) == 1
    assert [(folder / "data" / f"zookeeper-{number}" / "myid").read_text() for number in (1, 2, 3)] == [
        "1\n",
        "2\n",
        "3\n",
    ]


def test_brokers_are_told_of_the_ensemble_and_nothing_of_kraft(lab: LabState):
    settings = settings_of(lab, lab.brokers[1])
    addresses = ",".join(server.address for server in zookeeper.servers_of(lab))
    assert settings["zookeeper.connect"] == f"{addresses}/kafka-one"
    assert settings["broker.id"] == 2
    assert not [name for name in settings if name.startswith(("controller.quorum", "controller.listener", "process."))]


def test_the_inventory_names_the_servers(lab: LabState):
    described = environment(lab)
    assert list(described["zookeeper"]["servers"]) == ["zk-1", "zk-2", "zk-3"]
    assert "zookeeper" not in described["absent"]


@pytest.mark.parametrize(
    ("fault", "after"),
    [
        ("stop-zookeeper", ["alive", "stopped", "alive"]),
        ("freeze-zookeeper", ["alive", "frozen", "alive"]),
        ("lose-ensemble", ["alive", "stopped", "stopped"]),
    ],
)
def test_a_fault_takes_servers_and_healing_brings_them_back(lab: LabState, fault: str, after: list[str]):
    loaded = breaking._load(fault)
    loaded.inject(lab)
    assert conditions(lab) == after
    loaded.heal(lab)
    assert conditions(lab) == ["alive"] * 3


def test_without_the_part_a_fault_says_how_to_get_it(pretend: Pretend):
    with pytest.raises(LabError, match="runbook lab up --name two --with zookeeper"):
        breaking._load("stop-zookeeper").inject(pretend("two"))


def test_servers_are_stopped_with_the_lab(lab: LabState):
    parts.stop(lab)
    assert conditions(lab) == ["stopped"] * 3
