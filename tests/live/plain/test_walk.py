"""A procedure walked against a real cluster: a gate is closed while something is wrong, and opens when it is not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import kafka_lab as labs
from kafka_lab import LabState
from runbook.procedure.walk_file import load
from runbook.procedure.walk_record import Ended, Judged, Overruled

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
pytestmark = [pytest.mark.live, pytest.mark.thorough]


def walk(inventory: Path, answers: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [RUNBOOK, "procedure", "walk", *arguments, "-i", str(inventory), "--no-terminal", "--deadline", "30s"]
    given = "".join(f"{answer}\n" for answer in answers)
    return subprocess.run(
        command, input=given, capture_output=True, text=True, timeout=800, env=dict(os.environ), check=False
    )


def gates(record: Path) -> list[tuple[str, bool]]:
    return [(entry.stage, entry.open) for entry in load(record).entries if isinstance(entry, Judged)]


def test_a_gate_stays_closed_until_what_it_looks_for_is_so(healthy_lab: LabState, lab_inventory: Path, tmp_path: Path):
    home = Path(healthy_lab.folder).parent
    record = tmp_path / "walk.jsonl"
    labs.break_(healthy_lab.name, "skew-leadership", home=home)
    paused = walk(lab_inventory, ["", "", "p"], "ha#restore-preferred-leaders", "--record", str(record))
    assert paused.returncode == 3, paused.stderr
    assert gates(record) == [("before", True), ("after step 1", False), ("after step 1", False)]
    labs.heal(healthy_lab.name, home=home)
    done = walk(lab_inventory, ["", ""], "--resume", str(record))
    assert done.returncode == 0, done.stdout
    assert gates(record)[3:] == [("after step 1", True), ("after", True)]
    walk_record = load(record)
    assert walk_record.fault is None
    assert isinstance(walk_record.entries[-1], Ended)
    assert {entry.cluster_id for entry in walk_record.entries if isinstance(entry, Judged)} == {healthy_lab.cluster_id}


def test_what_can_not_be_found_out_keeps_a_gate_closed(healthy_lab: LabState, lab_inventory: Path, tmp_path: Path):
    record = tmp_path / "walk.jsonl"
    labs.break_(healthy_lab.name, "lose-quorum", home=Path(healthy_lab.folder).parent)
    done = walk(lab_inventory, ["o", "it is a test", "q", ""], "ha#restore-preferred-leaders", "--record", str(record))
    assert done.returncode == 1, done.stderr
    assert gates(record)[0] == ("before", False)
    assert [entry.reason for entry in load(record).entries if isinstance(entry, Overruled)] == ["it is a test"]
