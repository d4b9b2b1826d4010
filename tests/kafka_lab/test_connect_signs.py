"""What shows how Connect is, asked of workers and agents that answer as they are told."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kafka_lab import connect, connect_signs, processes
from kafka_lab.errors import LabError
from kafka_lab.state import LabState
from support.http_servers import Answer, Asked, http_server

Pretend = Callable[[str], LabState]

TASKS = [{"state": "RUNNING", "worker_id": "a:1"}, {"state": "FAILED", "worker_id": "b:2", "trace": "no json"}]
ERRORS = {"task=0": {"total-record-errors": 2.0}, "task=1": {"total-record-errors": 3.0}}
TOLD: dict[str, Any] = {
    "/connectors/sink/config": {"topics": "orders"},
    "/connectors/sink/status": {"connector": {"state": "RUNNING"}, "tasks": TASKS},
    "/connectors/idle/status": {"connector": {"state": "RUNNING"}, "tasks": []},
    "/connectors/well/status": {"connector": {"state": "RUNNING"}, "tasks": TASKS[:1]},
    "/connectors?expand=status": {"sink": {"status": {"tasks": TASKS}}},
}


def answer(asked: Asked) -> Answer:
    if asked.path == "/jolokia/":
        bean = json.loads(asked.body)["mbean"]
        beans = {"connector=sink": {"status": 200, "value": ERRORS}, "connector=barred": {"status": 403, "error": "no"}}
        return Answer(json.dumps(beans.get(bean.split(",")[1], {"status": 404})).encode())
    said = TOLD.get(asked.path)
    return Answer(b"{}", 404) if said is None else Answer(json.dumps(said).encode())


@pytest.fixture
def lab(pretend: Pretend, tmp_path: Path) -> Iterator[LabState]:
    """A lab with one worker, which lives."""
    asleep = processes.start(["sleep", "60"], output=tmp_path / "out", folder=tmp_path)
    with http_server(answer) as (address, _):
        port = int(address.rpartition(":")[2])
        made = pretend("one")
        made.parts["connect"] = {
            "workers": msgspec.to_builtins([connect.LabWorker(1, port, asleep)]),
            "jolokia": [port],
        }
        yield made
    processes.terminate(asleep, patience=0)


def test_a_connector_that_is_not_there_has_neither_configuration_nor_tasks(lab: LabState):
    assert connect_signs.configured(lab, "sink") == {"topics": "orders"}
    assert connect_signs.states(lab, "sink") == ["RUNNING", "FAILED"]
    assert connect_signs.configured(lab, "gone") == {}
    assert connect_signs.states(lab, "gone") == []
    assert connect_signs.traces(lab, "gone") == ""


def test_a_connector_runs_only_with_tasks_all_of_which_run(lab: LabState):
    runs = {name: connect_signs.runs(lab, name) for name in ("well", "sink", "idle", "gone")}
    assert runs == {"well": True, "sink": False, "idle": False, "gone": False}


def test_a_task_that_does_not_run_is_nobodys(lab: LabState):
    assert connect_signs.workers_of_tasks(lab) == {"a:1", "FAILED"}
    assert "no json" in connect_signs.traces(lab, "sink")


def test_what_tasks_count_is_added_up_and_what_counts_nothing_is_none(lab: LabState):
    assert connect_signs.counted(lab, "sink", "total-record-errors") == 5
    assert connect_signs.counted(lab, "gone", "total-record-errors") == 0


def test_an_agent_that_refuses_has_not_counted_none(lab: LabState):
    with pytest.raises(LabError, match="total-record-errors: no"):
        connect_signs.counted(lab, "barred", "total-record-errors")


def test_without_agents_it_says_how_to_get_them(lab: LabState):
    del lab.parts["connect"]["jolokia"]
    with pytest.raises(LabError, match="with jmx,connect"):
        connect_signs.counted(lab, "sink", "total-record-errors")


def test_a_worker_that_is_gone_is_an_error_and_no_answer(lab: LabState):
    [worker] = connect.workers_of(lab)
    processes.terminate(worker.process, patience=0)
    with pytest.raises(LabError, match="No Connect worker"):
        connect_signs.states(lab, "sink")
