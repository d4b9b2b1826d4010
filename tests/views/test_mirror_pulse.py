from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.views.mirror_pulse import compute
from support.kafka_facts import fact

AT = "2026-11-24T10:00:00.000Z"
COPIES = {"connector": "c", "kind": "source", "source": "dc1", "target": "dc2", "enabled": True, "policy": "default"}
WRITES = COPIES | {"connector": "h", "kind": "heartbeat", "source": "dc2", "target": "dc1"}
RUNS = {"separator": ".", "state": "RUNNING", "tasks": 1, "tasks_running": 1}


def flows(*rows: dict[str, Any]) -> Fact:
    return fact("mirror_connector", [RUNS | row for row in rows])


def beats(*topics: str) -> Fact:
    return fact("kafka_partition_offset", [{"topic": topic, "partition": 0, "newest": AT} for topic in topics])


def test_a_flow_that_runs_tells_its_newest_heartbeat_and_who_writes_them() -> None:
    [row] = compute(connector=flows(COPIES, WRITES), heartbeat=beats("dc1.heartbeats")).rows
    assert (row.topic, row.alias, row.connectors, row.newest) == ("dc1.heartbeats", "dc1", ["c"], AT)
    assert (row.running, row.written, row.writers) == (True, True, ["h"])


@pytest.mark.parametrize(
    ("cells", "running"),
    [
        ({"state": "PAUSED"}, False),
        ({"tasks_running": 0}, False),
        ({"tasks": 0, "tasks_running": 0}, False),
        ({"state": None}, None),
        ({"tasks": None}, None),
        ({"tasks_running": None}, None),
    ],
)
def test_a_flow_runs_if_all_of_its_tasks_do(cells: dict[str, Any], running: bool | None) -> None:  # noqa: FBT001 - a cell
    [row] = compute(connector=flows(COPIES | cells, WRITES | cells), heartbeat=beats("dc1.heartbeats")).rows
    assert (row.running, row.written) == (running, running)


def test_one_of_two_connectors_that_stands_still_is_enough_and_one_that_is_turned_off_does_not_count() -> None:
    still = COPIES | {"connector": "d", "state": "PAUSED"}
    [row] = compute(connector=flows(COPIES, still), heartbeat=beats("dc1.heartbeats")).rows
    assert (row.running, row.connectors) == (False, ["c", "d"])
    [row] = compute(connector=flows(COPIES, still | {"enabled": False}), heartbeat=beats("dc1.heartbeats")).rows
    assert (row.running, row.connectors) == (True, ["c"])


def test_who_writes_heartbeats_is_not_known_where_no_such_connector_is() -> None:
    [row] = compute(connector=flows(COPIES), heartbeat=beats("dc1.heartbeats")).rows
    assert (row.written, row.writers) == (None, [])


def test_topics_that_no_flow_copies_have_no_row() -> None:
    assert (
        compute(connector=flows(COPIES, WRITES), heartbeat=beats("heartbeats", "dc9.heartbeats", "dc1.orders")).rows
        == []
    )
