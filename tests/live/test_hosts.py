"""`runbook check os-hardware` on real hosts with real brokers: right when they are, and what each fault breaks."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from lab_hosts import LACKING, OF_NEGLECT, start_stand_in
from runbook import lab as labs
from runbook.connections.ssh import connect
from runbook.lab import LabState
from runbook.lab.faults import skew_clock
from runbook.lab.hosts import Machine
from runbook.lab.hosts.plan import USERS
from runbook.lab.inventory import environment
from runbook.lab.parts.hosts import machines_of
from runbook.lab.state import known
from ssh_server import patient

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
NAME = "hosts"
DEADLINE = 45.0  # seconds; a host that hangs costs a third of it, the others wait for a busy machine
VM = "/proc/sys/vm/"
pytestmark = [pytest.mark.live, pytest.mark.skipif(bool(LACKING), reason=LACKING)]

# What this machine, or a lab of one network, has otherwise than a machine in production.
PARAMS = {
    "os-hardware/brokers-may-open-many-files": {"least": 4096},
    "os-hardware/hosts-have-two-links": {"least": 1},
    "os-hardware/data-is-on-several-volumes": {"least": 1},
    "os-hardware/file-systems-have-room": {"least_percent": 1},
    "os-hardware/clocks-agree": {"most_ms": 2000},
}
OF_THE_LAB = {"replication-has-a-network-of-its-own"}
BY_CHANCE = {"writers-are-not-held-back", "nothing-is-being-swapped"}  # what else this machine does decides
KUBERNETES = {"nodes-are-memory-optimised", "zookeeper-is-on-fast-storage"}


@pytest.fixture(scope="module")
def lab() -> Iterator[LabState]:
    # Not below /tmp: the runbook rightly objects to log directories there.
    with tempfile.TemporaryDirectory(prefix="runbook-hosts-", dir="/var/lib") as home:
        try:
            yield labs.up(NAME, home=Path(home), progress=print, with_parts=["hosts"])
        finally:
            labs.down(NAME, home=Path(home))


@pytest.fixture
def machines(lab: LabState) -> list[Machine]:
    return machines_of(lab.parts["hosts"])


def check(lab: LabState, **ssh: Any) -> dict[str, dict[str, Any]]:
    """Run the runbook through the command line; gives the results by check."""
    told = environment(known(NAME, Path(lab.folder).parent)) | {"params": PARAMS}
    told["ssh"] |= ssh
    inventory = Path(lab.folder) / "inventory.yaml"
    inventory.write_text(yaml.safe_dump({"environments": {"lab": told}}))
    command = [RUNBOOK, "check", "os-hardware.md", "--inventory", str(inventory), "--format", "json"]
    done = subprocess.run(
        [*command, "--deadline", f"{DEADLINE:.0f}s"], capture_output=True, text=True, timeout=150, check=False
    )
    assert done.returncode in (0, 1, 3), done.stderr
    return {result["check"].partition("/")[2]: result for result in json.loads(done.stdout)["results"]}


def check_broken(lab: LabState, fault: str) -> dict[str, dict[str, Any]]:
    """Run it while a fault is in force."""
    home = Path(lab.folder).parent
    labs.break_(NAME, fault, home=home)
    try:
        return check(lab)
    finally:
        labs.heal(NAME, home=home)


def named(results: dict[str, dict[str, Any]], outcome: str) -> set[str]:
    return {name for name, result in results.items() if result["outcome"] == outcome} - OF_THE_LAB - BY_CHANCE


def hosts_of(result: dict[str, Any]) -> set[str]:
    return {row["key"]["host"] for row in result["rows"] if row["outcome"] == "fail"}


def logins(machine: Machine) -> int:
    return Path(machine.plan.folder, "log").read_text().count("Accepted publickey")


def test_hosts_that_are_set_up_for_kafka_pass_over_one_login_each(lab: LabState, machines: list[Machine]):
    before = [logins(machine) for machine in machines]
    results = check(lab)
    assert (named(results, "fail"), named(results, "unknown")) == (set(), set())
    assert named(results, "not_applicable") == KUBERNETES | {"zookeeper-has-enough-heap"}
    assert results["replicas-and-folders-match"]["judged"] == 3
    assert [logins(machine) - count for machine, count in zip(machines, before, strict=True)] == [1, 1, 1]


def test_a_host_that_nobody_set_up_fails_and_the_others_do_not(lab: LabState):
    results = check_broken(lab, "neglect-host")
    assert (named(results, "fail"), named(results, "unknown")) == (OF_NEGLECT, set())
    assert {host for name in OF_NEGLECT for host in hosts_of(results[name])} == {"kafka-3"}


@pytest.mark.skipif(skew_clock.library() is None, reason="libfaketime is not installed: apt install faketime")
def test_a_clock_that_runs_ahead_is_found_on_its_host_alone(lab: LabState):
    results = check_broken(lab, "skew-clock")
    assert named(results, "fail") == {"clocks-agree"}
    assert hosts_of(results["clocks-agree"]) == {"kafka-3"}


def test_a_disk_that_is_nearly_full_is_found_while_its_broker_goes_on(lab: LabState):
    results = check_broken(lab, "full-disk")
    assert hosts_of(results["file-systems-have-room"]) == {"kafka-3"}
    assert results["file-systems-have-room"]["judged"] == len(lab.brokers)
    assert named(results, "unknown") == set()


@contextmanager
def limited(lab: LabState, number: int, soft: int) -> Iterator[None]:
    """Give a broker another soft limit of open files for a while; its own user may, where root itself may not."""
    process = lab.broker(number).process
    assert process is not None
    limits = Path(f"/proc/{process.pid}/limits").read_text()
    [before] = [line.split()[3] for line in limits.splitlines() if line.startswith("Max open files")]
    set_limit(process.pid, str(soft))
    try:
        yield
    finally:
        set_limit(process.pid, before)


def set_limit(pid: int, soft: str) -> None:
    user = USERS["kafka"]
    command = ["prlimit", f"--pid={pid}", f"--nofile={soft}:"]
    subprocess.run(command, user=user, group=user, extra_groups=[], cwd="/", check=True)


def test_faults_of_single_hosts_are_found_where_they_are(lab: LabState, machines: list[Machine]):
    _, second, third = machines
    shared = Path(lab.folder, "beside")
    shared.mkdir()
    shared.chmod(0o777)
    second.set_kernel(f"{VM}swappiness", "0")
    third.set_kernel(f"{VM}dirty_bytes", "1048576")
    beside = start_stand_in(second, shared, "shop.Main")
    try:
        with limited(lab, 1, 1024):
            results = check(lab)
    finally:
        os.kill(beside.pid, signal.SIGKILL)
        second.set_kernel(f"{VM}swappiness", "1")
        third.set_kernel(f"{VM}dirty_bytes", "0")
    expected = {
        "the-limit-of-open-files-was-chosen": {"kafka-1"},
        "brokers-may-open-many-files": {"kafka-1"},
        "swapping-is-not-forbidden": {"kafka-2"},
        "kernel-settings-survive-a-boot": {"kafka-2"},
        "brokers-share-their-host-with-no-other-jvm": {"kafka-2"},
        "blocking-flushes-are-rare": {"kafka-3"},
    }
    assert {name: hosts_of(results[name]) for name in expected} == expected
    assert named(results, "fail") == set(expected)


def test_a_host_that_hangs_costs_only_what_it_would_have_told(lab: LabState, machines: list[Machine]):
    os.kill(machines[2].first.pid, signal.SIGSTOP)
    start = time.monotonic()
    try:
        results = check(lab)
    finally:
        os.kill(machines[2].first.pid, signal.SIGCONT)
    assert time.monotonic() - start < DEADLINE + 30  # starting on a busy machine included
    unknown = named(results, "unknown")
    assert {"swap-is-a-last-resort", "file-systems-have-room", "clocks-agree"} <= unknown
    assert "host kafka-3" in results["swap-is-a-last-resort"]["reason"]
    assert "did not answer" in results["swap-is-a-last-resort"]["reason"]
    assert named(results, "fail") == set()
    told = connect(environment(lab)["ssh"], patient())
    assert [host for host, processes in told.each(lambda host: host.processes())[0].items() if processes]
    told.close()


def test_a_broker_that_is_gone_is_unknown_and_comes_back_into_its_host(lab: LabState):
    home = Path(lab.folder).parent
    labs.break_(NAME, "stop-broker", home=home)
    results = check(lab)
    assert "brokers-may-open-many-files" in named(results, "unknown")
    assert "runs no Java process that is broker 2" in results["brokers-may-open-many-files"]["reason"]
    labs.heal(NAME, home=home)
    results = check(lab)
    assert (named(results, "fail"), named(results, "unknown")) == (set(), set())


def test_a_user_with_no_rights_sees_what_everyone_may_and_the_rest_is_unknown(lab: LabState):
    results = check(lab, user="watcher")
    assert "brokers-use-few-of-their-maps" in named(results, "unknown")
    assert {"swap-is-a-last-resort", "brokers-may-open-many-files", "clocks-agree"} <= named(results, "pass")
