from collections.abc import Callable
from pathlib import Path

import pytest

from kafka_lab import processes
from kafka_lab.errors import LabError
from kafka_lab.state import LabState, all_states, known, read
from runbook.model.errors import UsageError

Pretend = Callable[[str], LabState]


def test_what_one_process_wrote_another_reads(pretend: Pretend, tmp_path: Path) -> None:
    lab = pretend("one")
    lab.faults.append("stop-broker")
    lab.replicas["skew-leadership"] = {"orders": [[1, 2, 3], [2, 3, 1]]}
    lab.save()
    assert read("one", tmp_path) == lab
    assert lab.bootstrap == ",".join(f"127.0.0.1:{broker.port}" for broker in lab.brokers)


def test_a_lab_without_the_fields_of_later_versions_is_still_read(pretend: Pretend, tmp_path: Path) -> None:
    lab = pretend("one")
    file = tmp_path / "one" / "lab.json"
    file.write_text(file.read_text().replace('"replicas"', '"of another version"').replace('"faults"', '"also"'))
    assert read("one", tmp_path) == lab


def test_a_lab_nobody_started_is_said_with_those_that_are_up(pretend: Pretend, tmp_path: Path) -> None:
    pretend("one")
    assert read("two", tmp_path) is None
    with pytest.raises(UsageError, match=r"No lab named two is up \(up: one\)"):
        known("two", tmp_path)


def test_a_state_that_can_t_be_understood_is_an_error_not_an_absence(pretend: Pretend, tmp_path: Path) -> None:
    pretend("one")
    pretend("two")
    (tmp_path / "one" / "lab.json").write_text("{")
    with pytest.raises(LabError, match=r"one/lab\.json can't be understood"):
        read("one", tmp_path)
    assert [lab.name for lab in all_states(tmp_path)] == ["two"]


def test_a_lab_runs_as_long_as_one_broker_has_a_process(pretend: Pretend) -> None:
    lab = pretend("one")
    for broker in lab.brokers[1:]:
        processes.terminate(broker.process, patience=0)
    processes.freeze(lab.brokers[0].process)
    assert lab.running
    assert [broker.condition for broker in lab.brokers] == ["frozen", "stopped", "stopped"]
    processes.terminate(lab.brokers[0].process, patience=0)
    assert not lab.running


def test_who_knows_an_older_state_may_not_write_over_a_newer_one(pretend: Pretend, tmp_path: Path) -> None:
    old = pretend("one")
    new = known("one", tmp_path)
    new.brokers[0].process = processes.known_by(1)
    new.save()
    old.faults.append("stop-broker")
    with pytest.raises(LabError, match="Lab one was changed by something else meanwhile"):
        old.save()
    assert read("one", tmp_path) == new
