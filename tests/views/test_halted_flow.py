from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.model.old_gaps import from_sentence
from runbook.views.halted_flow import compute
from support.kafka_facts import fact

FLOW = {"file": "", "source": "dc1", "target": "dc2", "enabled": True, "tasks": 0, "tasks_running": 0}
FLOW |= {"tasks_failed": 0}
COPIES = FLOW | {"connector": "c", "kind": "source", "state": "STOPPED"}
TRANSLATES = FLOW | {"connector": "a", "kind": "checkpoint", "state": "PAUSED", "tasks": 1}
BEATS = FLOW | {"connector": "b", "kind": "heartbeat", "source": "dc2", "target": "dc1", "state": "STOPPED"}
ANSWERS = fact("kafka_cluster", [{"cluster_id": "a"}])


def flows(*rows: dict[str, Any]) -> Fact:
    return fact("mirror_connector", list(rows))


def test_what_copies_records_comes_first_then_what_translates_positions() -> None:
    [row] = compute(connector=flows(BEATS, TRANSLATES, COPIES), source=ANSWERS, alias="dc1").rows
    assert (row.halted, row.connectors, row.states) == (True, ["c", "a", "b"], ["STOPPED", "PAUSED", "STOPPED"])
    assert (row.copies, row.translates) == (["c"], ["a"])
    assert (row.tasks, row.tasks_running, row.tasks_failed) == (1, 0, 0)


@pytest.mark.parametrize(
    "cells",
    [
        {"state": "RUNNING"},
        {"state": "FAILED"},
        {"enabled": False},
        {"file": "mm2.properties", "state": None},
        {"source": "dc2"},
        {"kind": "something else"},
        {"state": "RUNNING", "enabled": None},
    ],
)
def test_one_that_runs_is_turned_off_of_a_file_or_of_another_flow_is_none(cells: dict[str, Any]) -> None:
    [row] = compute(connector=flows(COPIES | cells), source=ANSWERS, alias="dc1").rows
    assert (row.halted, row.connectors, row.tasks) == (False, [], 0)


@pytest.mark.parametrize(
    "rows", [[COPIES | {"state": None}], [COPIES | {"source": None}], [COPIES, TRANSLATES | {"enabled": None}]]
)
def test_where_one_may_stand_or_not_nothing_is_known_of_them(rows: list[dict[str, Any]]) -> None:
    [row] = compute(connector=flows(*rows), source=ANSWERS, alias="dc1").rows
    assert (row.halted, row.connectors, row.states, row.copies, row.translates) == (None, None, None, None, None)


def test_heartbeats_count_where_they_are_written_and_tasks_as_far_as_they_are_known() -> None:
    [row] = compute(
        connector=flows(BEATS | {"tasks": None}, BEATS | {"connector": "d", "target": "dc9"}),
        source=ANSWERS,
        alias="dc1",
    ).rows
    assert (row.connectors, row.copies, row.translates, row.tasks) == (["b"], [], [], None)


@pytest.mark.parametrize(
    ("why", "dark"),
    [
        ("no bootstrap server answers: kafka-1:9092 did not answer within 3 s", True),
        ("it had not answered by the deadline", False),
        ("kafka-1:9092 does not let us look: a login is refused", False),
    ],
)
def test_its_source_is_dark_only_where_that_is_certain(why: str, dark: bool) -> None:  # noqa: FBT001 - a cell
    source = fact("kafka_cluster", [])
    source.gaps = [from_sentence(why)]
    [row] = compute(connector=flows(COPIES), source=source, alias="dc1").rows
    assert row.dark is dark
