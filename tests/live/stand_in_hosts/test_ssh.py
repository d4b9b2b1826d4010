"""The path through SSH, on real OpenSSH: one login for each host, what a login without rights sees, logs in full."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kafka_lab import hosts
from kafka_lab.hosts import Machine
from kafka_lab.processes import terminate
from live.stand_in_hosts.scenes import StandIns, inventory
from runbook.connections import ssh
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.probes import jvm_gc_log, jvm_gc_pause
from support.evidence.labs import Labs
from support.lab_hosts import LACKING

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
PARAMS = {  # what this machine allows, and how precisely its hosts tell their time when it is busy
    "os-hardware/brokers-may-open-many-files": {"least": 4096},
    "os-hardware/clocks-agree": {"most_ms": 2000},
}
RECORDED = Path(__file__).parents[2] / "formats" / "gc_log" / "recorded"
pytestmark = [pytest.mark.live, pytest.mark.skipif(bool(LACKING), reason=LACKING)]


@pytest.fixture(scope="module")
def found(running: Labs) -> StandIns:
    lab: StandIns = running.of("stand_in_hosts")
    return lab


def check(folder: Path, settings: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Run the runbook through the command line; gives the results by check."""
    file = folder / "environments.yaml"
    environments = inventory(settings)
    environments["environments"]["hosts"]["params"] = PARAMS
    file.write_text(json.dumps(environments))
    command = [RUNBOOK, "check", "os-hardware.md", "-i", str(file), "-f", "json", "--deadline", "45s"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=800, check=False)
    assert done.returncode in (0, 1, 3), done.stderr
    return {result["check"].partition("/")[2]: result for result in json.loads(done.stdout)["results"]}


def named(results: dict[str, dict[str, Any]], outcome: str) -> set[str]:
    return {name for name, result in results.items() if result["outcome"] == outcome}


def logins(machine: Machine) -> int:
    return Path(machine.plan.folder, "log").read_text().count("Accepted publickey")


def test_all_of_a_runbook_takes_one_login_to_each_host(found: StandIns, tmp_path: Path):
    before = [logins(machine) for machine in found.machines]
    assert "clocks-agree" in named(check(tmp_path, found.ssh), "pass")
    assert [logins(machine) - count for machine, count in zip(found.machines, before, strict=True)] == [1, 1, 1]


def test_a_user_with_no_rights_sees_what_everyone_may_and_the_rest_is_unknown(found: StandIns, tmp_path: Path):
    results = check(tmp_path, found.ssh | {"user": "watcher"})
    assert "brokers-use-few-of-their-maps" in named(results, "unknown")
    assert {"brokers-may-open-many-files", "clocks-agree"} <= named(results, "pass")


LOG = "/var/log/kafka/kafkaServer-gc.log"


@pytest.fixture
def a_jvm_with_a_log(found: StandIns) -> Iterator[None]:
    """In host 1, one more process that looks like a JVM's: this one says where its GC log is, which has two files."""
    lines = (RECORDED / "jdk25-serial.log").read_text("latin-1").splitlines(keepends=True)
    upper = Path(found.machines[0].plan.folder, "upper")
    files = {upper / f"{LOG[1:]}.0": lines[:100], upper / LOG[1:]: lines[100:]}
    for file, part in files.items():
        file.write_text("".join(part), "latin-1")
    properties = found.shared / "server-11.properties"
    properties.write_text("node.id=11\nprocess.roles=broker\n")
    words = [str(found.shared / "java"), f"-Xlog:gc*:file={LOG}:time,tags", "kafka.Kafka", str(properties)]
    jvm = hosts.start_inside(found.machines[0], words, files=4096, output=found.shared / "jvm.out", folder=found.shared)
    yield
    terminate(jvm, patience=0)
    for file in files:
        file.unlink()


def observe(probe: Any, found: StandIns, **parameters: Any) -> Fact:
    connection = ssh.connect(found.ssh | {"folders": [str(found.shared)]}, Deadline(20))
    try:
        return tabulate("probe", probe.PROBE.columns, probe.observe(connection, window="9999d", **parameters))
    finally:
        connection.close()


@pytest.mark.usefixtures("a_jvm_with_a_log")
def test_a_log_in_two_files_is_read_over_ssh_and_the_brokers_without_one_are_gaps(found: StandIns):
    fact = observe(jvm_gc_log, found)
    rows = {row["broker"]: row for row in fact.rows()}
    assert rows[11]["host"] == "kafka-1"
    assert (rows[11]["file"], rows[11]["collector"]) == (LOG, "serial")
    assert (rows[11]["pauses"], rows[11]["full"], rows[11]["forced"], rows[11]["longest"]) == (23, 5, 4, 57.923)
    assert [rows[number]["longest"] for number in (1, 2, 3)] == [None] * 3
    assert {gap.keys["broker"] for gap in fact.gaps if "no garbage collection log" in gap.reason} == {1, 2, 3}
    long = [row for row in observe(jvm_gc_pause, found, at_least=5.0).rows() if row["broker"] == 11]
    assert max(row["length"] for row in long) == 57.923
    assert {row["cause"] for row in long} == {"Allocation Failure"}
