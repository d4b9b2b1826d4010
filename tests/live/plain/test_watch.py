"""`runbook check --watch` beside a cluster that heals."""

import json
import subprocess
from pathlib import Path

import pytest

import kafka_lab as labs
from kafka_lab import LabState
from support.foreground import in_foreground
from support.terminals import RUNBOOK, Terminal

pytestmark = pytest.mark.live
LONGEST = 150  # seconds that a broker on a busy machine may take to be back in sync


def broken(lab: LabState) -> Path:
    """Stop a broker; gives where the labs are."""
    home = Path(lab.folder).parent
    labs.break_(lab.name, "stop-broker", home=home)
    return home


def test_it_ends_once_all_is_well_and_reports_the_last_look(healthy_lab: LabState, lab_inventory: Path) -> None:
    home = broken(healthy_lab)
    words = ["check", "ha", "-i", str(lab_inventory), "-f", "json", "--until-pass", "--every", "1s"]
    command = in_foreground(RUNBOOK, *words)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            assert " fail, " in process.stderr.readline()
            labs.heal(healthy_lab.name, home=home)
            report, looks = process.communicate(timeout=LONGEST)
        finally:
            process.kill()
    assert json.loads(report)["exit_code"] == process.returncode == 0
    assert "pass now: " in looks
    assert ", 0 fail, 0 unknown" in looks


def test_on_a_terminal_each_look_takes_the_place_of_the_last_until_ctrl_c(
    healthy_lab: LabState, lab_inventory: Path, tmp_path: Path
) -> None:
    home = broken(healthy_lab)
    terminal = Terminal(tmp_path, "check", "ha", "-i", str(lab_inventory), "--watch", "--every", "1s")
    try:
        terminal.until("CAUSE    broker 2")
        labs.heal(healthy_lab.name, home=home)
        terminal.until("pass now: ")
        terminal.until(", 0 fail, 0 unknown; next look in 1 s (Ctrl-C ends it)")
        terminal.type("\x03")
        assert terminal.end() == 0
        last = terminal.output.rpartition("\x1b[2J")[2]
        assert " 0 fail   0 unknown " in last
        assert "CAUSE" not in last
    finally:
        terminal.close()
