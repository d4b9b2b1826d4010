from typing import Any

from runbook.model.fact import Gap
from runbook.views import connector_twin
from support.mirror_facts import HIDDEN, fact_of, seen

SINK = {"connector": "sink", "plugin": "FileStreamSink", "version": "4.1.1", "state": "RUNNING", "tasks_max": 2}


def twins(here: dict[str, Any], *there: dict[str, Any], gaps: tuple[Gap, ...] = ()) -> list[dict[str, Any]]:
    return seen(
        connector_twin, source=fact_of("connect_connector", [here]), target=fact_of("connect_connector", there, gaps)
    )


def test_a_connector_stands_beside_the_one_of_its_name() -> None:
    [row] = twins(SINK, SINK | {"state": "STOPPED", "tasks_max": 1})
    assert (row["present"], row["state"], row["source_tasks_max"], row["tasks_max"]) == (True, "STOPPED", 2, 1)


def test_one_that_is_not_there_is_missing_if_all_were_seen() -> None:
    assert [row["present"] for row in twins(SINK, SINK | {"connector": "other"})] == [False]
    assert [row["present"] for row in twins(SINK, gaps=HIDDEN)] == [None]


def test_mirrormakers_own_are_left_out() -> None:
    assert twins(SINK | {"plugin": "org.apache.kafka.connect.mirror.MirrorSourceConnector"}) == []
