"""GC logs of brokers on real hosts, over SSH: found by the command lines of their processes, read to their ends."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lab_hosts import LACKING, running_hosts
from runbook.connections import ssh
from runbook.engine.fact import Fact, tabulate
from runbook.engine.probe import Clock
from runbook.lab import hosts
from runbook.lab.hosts import Machine, Plan
from runbook.probes import jvm_gc_log, jvm_gc_pause

RECORDED = Path(__file__).parents[1] / "formats" / "gc_log" / "recorded"
LOG = "/var/log/kafka/kafkaServer-gc.log"
pytestmark = [pytest.mark.live, pytest.mark.skipif(bool(LACKING), reason=LACKING)]


def give_log(plan: Plan, number: int) -> None:
    """Host 1 has the log of a broker whose heap was too small, in two files; host 2 has none."""
    if number == 1:
        lines = (RECORDED / "jdk25-serial.log").read_text("latin-1").splitlines(keepends=True)
        plan.files |= {f"{LOG}.0": "".join(lines[:100]), LOG: "".join(lines[100:])}


@pytest.fixture(scope="module")
def settings() -> Iterator[dict[str, Any]]:
    with (
        tempfile.TemporaryDirectory(prefix="gc-", dir="/var/lib") as folder,
        running_hosts(Path(folder), 2, give_log) as (machines, settings),
    ):
        start_jvm(machines[0], Path(folder) / "shared")
        yield settings


def start_jvm(machine: Machine, shared: Path) -> None:
    """Start one more process that looks like a JVM's: this one says where its GC log is."""
    (shared / "server-11.properties").write_text("node.id=11\nprocess.roles=broker\n")
    words = [
        str(shared / "java"),
        f"-Xlog:gc*:file={LOG}:time,tags",
        "kafka.Kafka",
        str(shared / "server-11.properties"),
    ]
    hosts.start_inside(machine, words, files=4096, output=shared / "jvm.out", folder=shared)


def observe(probe: Any, settings: dict[str, Any], **parameters: Any) -> Fact:
    connection = ssh.connect(settings | {"folders": ["/var/lib"]}, Clock(20))
    try:
        return tabulate("probe", probe.PROBE.columns, probe.observe(connection, window="9999d", **parameters))
    finally:
        connection.close()


def test_a_log_in_two_files_is_read_over_ssh_and_the_brokers_without_one_are_gaps(settings: dict[str, Any]):
    fact = observe(jvm_gc_log, settings)
    rows = {row["broker"]: row for row in fact.rows()}
    assert rows[11]["host"] == "kafka-1"
    assert (rows[11]["file"], rows[11]["collector"]) == (LOG, "serial")
    assert (rows[11]["pauses"], rows[11]["full"], rows[11]["forced"], rows[11]["longest"]) == (23, 5, 4, 57.923)
    assert rows[1]["longest"] is rows[2]["longest"] is None
    assert {gap.keys["broker"] for gap in fact.gaps if "no garbage collection log" in gap.reason} == {1, 2}


def test_the_long_pauses_are_told_one_by_one(settings: dict[str, Any]):
    rows = [row for row in observe(jvm_gc_pause, settings, at_least=5.0).rows() if row["broker"] == 11]
    assert max(row["length"] for row in rows) == 57.923
    assert {row["cause"] for row in rows} == {"Allocation Failure"}
