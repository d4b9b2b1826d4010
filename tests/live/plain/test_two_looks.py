"""`runbook check --looks 2` on a real cluster: what turns between the looks is not known."""

import json
import os
import signal
from pathlib import Path

import pytest

import kafka_lab as labs
from kafka_lab import LabState
from support.terminals import Terminal

pytestmark = pytest.mark.live
BETWEEN = "looked once; again in 3 s"


def outcomes(terminal: Terminal, report: Path) -> dict[str, tuple[str, str]]:
    """Of each check of the run that somebody looks at, once it has ended, its outcome and the reason."""
    terminal.end()
    results = json.loads(report.read_text("utf-8"))["results"]
    return {result["check"]: (result["outcome"], result["reason"]) for result in results if not result["unobserved"]}


def observe_twice(folder: Path, inventory: Path) -> tuple[Terminal, Path]:
    report = folder / "report.json"
    words = ("check", "ha", "-i", str(inventory), "--looks", "2", "-f", "json", "--out", str(report))
    return Terminal(folder, *words), report


def test_a_broker_that_stops_between_the_looks_flaps(
    healthy_lab: LabState, lab_inventory: Path, tmp_path: Path
) -> None:
    terminal, report = observe_twice(tmp_path, lab_inventory)
    try:
        terminal.until(BETWEEN)
        os.killpg(terminal.process.pid, signal.SIGSTOP)  # however long the broker takes to stop, it does so in between
        labs.break_(healthy_lab.name, "stop-broker", home=Path(healthy_lab.folder).parent)
        os.killpg(terminal.process.pid, signal.SIGCONT)
        found = outcomes(terminal, report)
    finally:
        terminal.close()
    outcome, reason = found["ha/every-broker-answers"]
    assert outcome == "unknown"
    assert reason.startswith("it flaps: it passed at ")
    assert " and failed at " in reason
    assert "fail" not in {outcome for outcome, _ in found.values()}, found


def test_a_cluster_that_stays_well_passes(lab_inventory: Path, tmp_path: Path) -> None:
    terminal, report = observe_twice(tmp_path, lab_inventory)
    try:
        terminal.until(BETWEEN)
        found = outcomes(terminal, report)
    finally:
        terminal.close()
    assert {outcome for outcome, _ in found.values()} <= {"pass", "not_applicable"}
    assert found["ha/every-broker-answers"][0] == "pass"
