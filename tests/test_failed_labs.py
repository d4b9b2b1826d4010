"""A test that fails on a lab says how that stood: a run is over when somebody reads it, and the lab is gone."""

from pathlib import Path

from kafka_lab import LabState
from support.failed_labs import LINES, MATTER, end_of, state_of


def test_a_lab_that_failed_a_test_is_told(healthy_lab: LabState):
    lines = [*state_of(healthy_lab)]
    assert lines[0] == "faults in force: none"
    assert [line for line in lines if line.startswith("broker ")] == [f"broker {number}: alive" for number in (1, 2, 3)]
    assert len(lines) <= 1 + 3 * (1 + 2 * LINES)


def test_of_a_log_the_last_lines_that_matter_are_told(tmp_path: Path):
    log = tmp_path / "broker.log"
    assert end_of(log) == []
    log.write_text("".join(f"INFO Started {n}\nx WARN slow {n}\ny INFO Fencing broker {n}\n" for n in range(LINES)))
    assert end_of(log, MATTER) == [
        line for n in range(LINES // 2, LINES) for line in (f"  x WARN slow {n}", f"  y INFO Fencing broker {n}")
    ]
