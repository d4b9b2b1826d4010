"""A mirrored cluster that is dark, reached again: what it would tell stays unseen, and what comes over comes again."""

from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.model.old_gaps import from_sentence
from runbook.model.recovery import Situation
from runbook.recoveries.cluster_reachable import RECOVERY as REACHED
from runbook.recoveries.source_cluster_reachable import RECOVERY as HEARD
from support.kafka_facts import fact

AT, EARLIER = "2026-11-24T10:00:00.000Z", "2026-11-24T09:00:00.000Z"
FLOW = {"connector": "c", "kind": "source", "source": "dc1", "policy": "default", "separator": ".", "enabled": True}
FLOW |= {"state": "RUNNING", "tasks": 2, "tasks_running": 2, "tasks_failed": 0}


@pytest.mark.parametrize(
    ("reason", "hidden"),
    [
        ("kafka-1:9092 can't be reached: connection refused", True),
        ("kafka-1:9092 did not answer within 3 s", True),
        ("kafka-1:9092 does not let us look", False),
        ("the inventory gives no kafka connection", False),
    ],
)
def test_what_was_out_of_reach_is_hidden_by_it_and_nothing_else(reason: str, hidden: bool) -> None:  # noqa: FBT001 - a cell
    assert REACHED.accounts_for(from_sentence(reason), Situation({}, {})) is hidden
    assert "kafka_topic" in REACHED.leaves
    assert "connect_connector" in REACHED.leaves


def heard(aliases: list[str], **cells: Any) -> list[Any]:
    """The newest heartbeat as it would be."""
    beats = fact("kafka_partition_offset", [{"topic": "dc1.heartbeats", "partition": 0, "newest": EARLIER}])
    seen = Fact(beats.source, beats.columns, beats.gaps, collected_at=AT)
    situation = Situation({"mirror_connector": fact("mirror_connector", [FLOW | cells])}, {"aliases": aliases})
    return HEARD.sets["kafka_partition_offset"](seen, situation).columns["newest"]


def test_its_heartbeats_come_again_where_the_flow_from_it_runs() -> None:
    assert heard(["dc1"]) == [AT]


@pytest.mark.parametrize("cells", [{"state": "STOPPED"}, {"state": None}, {"enabled": False}, {"kind": "checkpoint"}])
def test_a_flow_that_does_not_run_brings_nothing(cells: dict[str, Any]) -> None:
    assert heard(["dc1"], **cells) == [EARLIER]


def test_nor_does_one_from_elsewhere_or_one_that_nobody_saw() -> None:
    assert heard(["dc2"]) == [EARLIER]
    beats = fact("kafka_partition_offset", [{"topic": "dc1.heartbeats", "partition": 0, "newest": EARLIER}])
    assert HEARD.sets["kafka_partition_offset"](beats, Situation({}, {"aliases": ["dc1"]})) is beats


def test_a_flow_that_was_stopped_stays_so() -> None:
    flows = fact("mirror_connector", [FLOW | {"state": "STOPPED", "tasks_running": 0}])
    made = HEARD.sets["mirror_connector"](flows, Situation({"mirror_connector": flows}, {"aliases": ["dc1"]}))
    assert made.columns["state"] == ["STOPPED"]


def reached(**cells: Any) -> list[Any]:
    """The tasks of a connector, and those that run, as they would be."""
    flows = fact("mirror_connector", [FLOW | {"kind": "checkpoint"} | cells])
    made = HEARD.sets["mirror_connector"](flows, Situation({"mirror_connector": flows}, {"aliases": ["dc1"]}))
    return [made.columns["state"][0], made.columns["tasks"][0], made.columns["tasks_running"][0]]


def test_a_connector_without_tasks_may_find_work_there() -> None:
    idle = {"tasks": 0, "tasks_running": 0}
    assert reached(**idle) == ["RUNNING", None, None]
    assert reached() == ["RUNNING", 2, 2]
    assert reached(tasks_running=1) == ["RUNNING", 2, 1]
    for cells in ({"state": "PAUSED"}, {"source": "dc2"}, {"enabled": False}):
        assert reached(**idle, **cells)[1:] == [0, 0]
