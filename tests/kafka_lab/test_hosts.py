"""Linux hosts of the lab: each has its own processes, name, files and kernel settings, and goes without a trace."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kafka_lab import hosts, processes
from kafka_lab.breaking import faults
from kafka_lab.errors import LabError
from kafka_lab.faults import neglect_host
from kafka_lab.hosts import NEGLECTED, Machine, machine
from kafka_lab.parts import hosts as part
from kafka_lab.state import LabState
from runbook.connections.ssh import connect
from runbook.model.errors import UsageError
from runbook.model.fact import Fact
from support.lab_hosts import LACKING, PROPERTIES, running_hosts
from support.recorded_hosts import look
from support.ssh_server import patient

needs_hosts = pytest.mark.skipif(bool(LACKING), reason=LACKING)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[Machine], dict[str, Any]]]:
    with running_hosts(tmp_path_factory.mktemp("hosts")) as found:
        yield found


def see(settings: dict[str, Any], probe: str) -> Fact:
    found = connect(settings, patient())
    try:
        return look(probe, found)
    finally:
        found.close()


@needs_hosts
def test_each_host_sees_its_own_processes_and_no_other(running: tuple[list[Machine], dict[str, Any]]):
    fact = see(running[1], "host_process")
    assert fact.gaps == []
    assert fact.columns["host"] == ["kafka-1", "kafka-2"]
    assert fact.columns["broker"] == [1, 2]
    assert set(fact.columns["user"]) == {"kafka"}


@needs_hosts
def test_a_kernel_setting_of_one_host_is_not_that_of_another(running: tuple[list[Machine], dict[str, Any]]):
    machines, settings = running
    ours = Path("/proc/sys/vm/swappiness").read_text()
    machines[1].set_kernel("/proc/sys/vm/swappiness", "37")
    assert see(settings, "host_kernel").columns["swappiness"] == [1, 37]
    assert Path("/proc/sys/vm/swappiness").read_text() == ours


@needs_hosts
def test_nothing_is_written_to_this_machine(running: tuple[list[Machine], dict[str, Any]]):
    assert not Path("/etc/ssh/lab_sshd_config").exists()
    assert "kafka:x:7001" not in Path("/etc/passwd").read_text()
    inside = Path(running[0][0].plan.folder, "upper/etc/kafka/server.properties")
    assert inside.read_text() == PROPERTIES.format(number=1)


@needs_hosts
def test_a_host_that_is_stopped_leaves_neither_process_nor_file(tmp_path: Path):
    with running_hosts(tmp_path, 1) as ([host], _):
        children = subprocess.run(["pgrep", "-f", str(tmp_path)], capture_output=True, text=True, check=False).stdout
        assert children
    assert processes.condition(host.first) == processes.condition(host.keeper) == "stopped"
    left = subprocess.run(["pgrep", "-f", str(tmp_path)], capture_output=True, text=True, check=False).stdout
    assert left == ""
    assert not Path(host.plan.folder).exists()


@needs_hosts
def test_a_host_that_can_not_start_says_why_and_leaves_nothing(tmp_path: Path):
    [plan] = [hosts.plan(1, 1, tmp_path, [tmp_path / "nowhere"])]
    with pytest.raises(LabError, match="nowhere"):
        hosts.start([plan], machine.make_key(tmp_path / "key"))
    assert not Path(plan.folder).exists()


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "root" in hosts.lacking()
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(machine.shutil, "which", lambda name, path=None: None if name == "sshd" else f"{path}/{name}")
    assert "openssh-server" in part.lacking()


def test_the_fault_of_a_neglected_host_needs_a_lab_with_hosts():
    assert "neglect-host" in faults()
    assert NEGLECTED
    lab = LabState("lab", "/nowhere", "id", "4", "/jars", [])
    with pytest.raises((LabError, UsageError), match="--with hosts"):
        neglect_host.inject(lab)
