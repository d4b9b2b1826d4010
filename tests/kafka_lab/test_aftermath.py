"""What `lab break` says of brokers that were started anew, and should be alive."""

from types import SimpleNamespace
from typing import Any

import pytest

from kafka_lab import aftermath
from kafka_lab.configuration import planned
from kafka_lab.errors import LabError
from kafka_lab.processes import Process, known_by
from kafka_lab.state import LabState

GONE = Process(2**22, "long ago")


@pytest.fixture
def lab() -> LabState:
    made = LabState("lab", "/nowhere", "cluster-of-lab", "4.3.0", "/nowhere", planned(3))
    for broker in made.brokers:
        broker.process = GONE
    return made


def told(lab: LabState, before: dict[int, Process | None]) -> list[str]:
    return [*aftermath.missing(lab, before, within=0.1)]


def answers(monkeypatch: pytest.MonkeyPatch, brokers: list[int]) -> None:
    def metadata(*_: Any) -> Any:
        if not brokers:
            raise LabError("nobody answers")
        return SimpleNamespace(brokers=brokers)

    monkeypatch.setattr(aftermath, "metadata", metadata)


def test_a_broker_that_ended_after_it_was_started_anew_is_told_with_its_output(lab: LabState) -> None:
    before = aftermath.processes_of(lab) | {3: Process(7, "before")}
    assert told(lab, before) == [
        "broker 3 was started anew and has ended, so that it is gone; why: /nowhere/logs/broker-3.out"
    ]


def test_what_a_fault_stops_for_good_is_not_told(lab: LabState) -> None:
    assert told(lab, aftermath.processes_of(lab)) == []


@pytest.mark.parametrize("seen", [[], [1, 2]])
def test_a_broker_that_runs_and_is_not_in_service_is_told(
    lab: LabState, monkeypatch: pytest.MonkeyPatch, seen: list[int]
) -> None:
    answers(monkeypatch, seen)
    before = aftermath.processes_of(lab)
    lab.broker(3).process = known_by(1)
    assert told(lab, before) == [
        "broker 3 was started anew and is not in service after 0 s more: /nowhere/logs/broker-3.log"
    ]


def test_a_broker_that_is_back_in_service_is_not_told(lab: LabState, monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, [1, 2, 3])
    before = aftermath.processes_of(lab)
    lab.broker(3).process = known_by(1)
    assert told(lab, before) == []


def test_where_there_is_no_lab_yet_there_is_nothing_to_compare(lab: LabState) -> None:
    assert aftermath.processes_of(None) == {}
    assert told(lab, {}) == []
