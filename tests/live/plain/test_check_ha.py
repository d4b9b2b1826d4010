"""`runbook check ha` on a real cluster, as a user runs it. What it says of each fault is judged from kept evidence."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.waiting import wait_until
from support.busy_machine import LATE
from support.foreground import in_foreground

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
pytestmark = pytest.mark.live


def runbook(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a user would."""
    variables = os.environ | environment
    return subprocess.run(
        [RUNBOOK, *arguments], capture_output=True, text=True, timeout=800, env=variables, check=False
    )


def report(inventory: Path, *arguments: str) -> dict[str, Any]:
    """Check ha and give the JSON report; standard error says where something was kept, and nothing else."""
    done = runbook("check", "ha", "-i", str(inventory), "-f", "json", *arguments)
    assert [line for line in done.stderr.splitlines() if not line.startswith("kept: ")] == []
    document: dict[str, Any] = json.loads(done.stdout)
    assert document["exit_code"] == done.returncode
    return document


def named(document: dict[str, Any], outcome: str) -> set[str]:
    return {result["check"].removeprefix("ha/") for result in document["results"] if result["outcome"] == outcome}


def test_the_healthy_lab_passes(lab_inventory: Path):
    done = runbook("check", "ha", "-i", str(lab_inventory))
    assert done.returncode == 0, done.stdout
    assert " 0 fail   0 unknown " in done.stdout
    assert done.stderr == ""


def test_a_frozen_broker_costs_its_own_answers_and_no_more_time_than_given(healthy_lab: LabState, lab_inventory: Path):
    labs.break_(healthy_lab.name, "freeze-broker", home=Path(healthy_lab.folder).parent)
    start = time.monotonic()
    document = report(lab_inventory, "--deadline", "6s")
    assert time.monotonic() - start < 6 + LATE
    [rows] = [result["rows"] for result in document["results"] if result["check"] == "ha/every-broker-answers"]
    assert [row["key"] for row in rows] == [{"broker": 3}]
    [head] = document["environments"]
    assert (head["brokers"], head["answering"]) == (3, 2)


LINES = 24  # of a terminal


def test_a_stopped_broker_is_the_answer_and_its_partitions_are_there_in_full(
    healthy_lab: LabState, lab_inventory: Path
):
    labs.break_(healthy_lab.name, "stop-broker", home=Path(healthy_lab.folder).parent)
    done = runbook("check", "ha", "-i", str(lab_inventory), COLUMNS="80")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    [cause] = [number for number, line in enumerate(lines) if line.startswith("CAUSE")]
    assert "broker 2" in lines[cause]
    assert cause < LINES / 4
    assert any("ha#bring-a-broker-back" in line for line in lines)
    assert len(lines) <= LINES
    full = runbook("check", "ha", "-i", str(lab_inventory), "--rows", "all", "--full").stdout
    assert "touches broker 2" in full
    assert "24 of 24 partitions" in full
    assert "orders" in full


def test_what_changed_since_the_last_scheduled_run_stands_under_the_cause(
    healthy_lab: LabState, lab_inventory: Path, tmp_path: Path
):
    inventory = tmp_path / "keeping.yaml"
    inventory.write_text(f"{lab_inventory.read_text()}results: {{to: {tmp_path / 'kept'}, keep_facts: 14d}}\n")
    assert runbook("check", "ha", "-i", str(inventory), "--trigger", "scheduled").returncode == 0
    assert "CHANGED" not in runbook("check", "ha", "-i", str(inventory)).stdout
    for fault in ("unsafe-topic", "stop-broker"):
        labs.break_(healthy_lab.name, fault, home=Path(healthy_lab.folder).parent)
    text = runbook("check", "ha", "-i", str(inventory), COLUMNS="200").stdout
    assert text.index("CAUSE") < text.index("CHANGED  since ") < text.index("ALSO")
    assert "new        3 topics (audit, " in text
    assert "isr -[2]" not in text  # which goes with the cause
    [environment] = report(inventory)["environments"]
    changes = environment["diagnosis"]["changes"]
    assert (changes["unread"], changes["by_causes"] > 0) == ("", True)


def test_a_bundle_gives_the_same_verdicts_as_the_live_run_byte_for_byte(
    healthy_lab: LabState, lab_inventory: Path, tmp_path: Path
):
    labs.break_(healthy_lab.name, "unsafe-topic", home=Path(healthy_lab.folder).parent)
    bundle = tmp_path / "bundle.json"
    live = runbook("check", "ha", "-i", str(lab_inventory), "-f", "json", "--save", str(bundle))
    again = runbook("check", "ha", "--from", str(bundle), "-f", "json", RUNBOOK_INVENTORY="/nowhere")

    def verdicts(text: str) -> str:
        return text[text.index('"results": [') : text.index('"exit_code"')]

    assert verdicts(live.stdout) == verdicts(again.stdout)
    assert live.returncode == again.returncode == 1


def test_another_cluster_than_the_pinned_one_is_unknown_altogether(lab_inventory: Path, tmp_path: Path):
    pinned = tmp_path / "environments.yaml"
    text = lab_inventory.read_text("utf-8")
    before, _, rest = text.partition("cluster_id: ")
    pinned.write_text(before + "cluster_id: another\n" + rest.partition("\n")[2], "utf-8")
    document = report(pinned)
    assert document["exit_code"] == 3
    assert named(document, "pass") == named(document, "fail") == set()
    assert any("pins" in result["reason"] for result in document["results"])


def test_a_cluster_that_nobody_serves_is_unknown_with_the_reason(tmp_path: Path):
    inventory = tmp_path / "environments.yaml"
    inventory.write_text("environments: {gone: {kafka: {bootstrap.servers: 127.0.0.1:1}}}\n", "utf-8")
    document = report(inventory, "--deadline", "20s")
    assert document["exit_code"] == 3
    assert named(document, "pass") == named(document, "fail") == set()
    assert any("refused" in result["reason"] for result in document["results"])


def test_wrong_credentials_are_unknown_and_do_not_show(lab_inventory: Path, tmp_path: Path):
    text = lab_inventory.read_text("utf-8").replace(
        "kafka:",
        "kafka:\n      security.protocol: SASL_PLAINTEXT\n      sasl.mechanism: PLAIN\n      sasl.username: nobody\n"
        "      sasl.password: {env: KAFKA_SECRET}",
    )
    inventory = tmp_path / "environments.yaml"
    inventory.write_text(text, "utf-8")
    done = runbook(
        "check", "ha", "-i", str(inventory), "-f", "json", "--deadline", "5s", KAFKA_SECRET="planted-secret-1"
    )
    assert done.returncode == 3
    assert "planted-secret-1" not in done.stdout + done.stderr
    assert named(json.loads(done.stdout), "pass") == set()


def asks(pid: int, lab: LabState) -> bool:
    """Whether a process, or one that it started, is connected with a broker."""
    process = psutil.Process(pid)
    sockets = [
        connection
        for each in [process, *process.children(recursive=True)]
        for connection in each.net_connections("tcp")
    ]
    return bool({socket.raddr.port for socket in sockets if socket.raddr} & {broker.port for broker in lab.brokers})


def test_ctrl_c_prints_what_is_known_and_exits_130(healthy_lab: LabState, lab_inventory: Path):
    labs.break_(healthy_lab.name, "freeze-broker", home=Path(healthy_lab.folder).parent)
    process = subprocess.Popen(
        in_foreground(RUNBOOK, "check", "ha", "-i", str(lab_inventory), "--deadline", "20s"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_until(lambda: asks(process.pid, healthy_lab), "the command to ask the brokers", within=240)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=800)
    assert process.returncode == 130
    assert err == ""
    assert "interrupted" in out
    assert any(word in out for word in ("CAUSE", "FAIL", "UNKNOWN")), out


def test_results_that_can_not_be_kept_do_not_cost_the_report(lab_inventory: Path, tmp_path: Path):
    blocked = tmp_path / "store"
    blocked.write_text("a file where a folder should be", "utf-8")
    done = runbook("check", "ha", "-i", str(lab_inventory), "--results", str(blocked))
    assert done.returncode == 2
    assert " 0 fail   0 unknown " in done.stdout
    assert "could not be kept" in done.stderr


def test_each_run_adds_one_whole_file_to_the_store(lab_inventory: Path, tmp_path: Path):
    from runbook.evidence.chain import first_fault

    for _ in range(2):
        assert runbook("check", "ha", "-i", str(lab_inventory), "--results", str(tmp_path)).returncode == 0
    files = sorted(tmp_path.rglob("*.jsonl"))
    assert len({file.name for file in files}) == len(files) == 1 + 1
    assert [first_fault(file.read_bytes()) for file in files] == [None, None]
