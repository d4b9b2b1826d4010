from typing import Any

from runbook.model.fact import Fact
from runbook.recoveries.reassignment_completed import RECOVERY
from support.kafka_facts import brokers, fact, partition, partitions, situation


def moved(rows: Fact, *moves: dict[str, Any], down: tuple[int, ...] = ()) -> list[dict[str, Any]]:
    moving = fact("kafka_reassignment", [{"topic": "t", "partition": 0, "removing": []} | move for move in moves])
    return list(RECOVERY.sets["kafka_partition"](rows, situation({}, rows, moving, brokers(*down))).rows())


def test_what_is_added_is_in_sync() -> None:
    [row] = moved(partitions(partition(0, 1, [1])), {"adding": [2, 3]})
    assert (row["isr"], row["out_of_sync"], row["leader"], row["elr"]) == ([1, 2, 3], [], 1, [])


def test_what_is_removed_is_gone_and_who_leads_then_is_not_known() -> None:
    [row] = moved(partitions(partition(0, 1, [1, 2])), {"adding": [3], "removing": [1]})
    assert (row["replicas"], row["isr"], row["leader"]) == ([2, 3], [2, 3], None)


def test_what_is_added_to_a_broker_that_is_down_does_not_arrive() -> None:
    [row] = moved(partitions(partition(0, 1, [1])), {"adding": [2, 3]}, down=(3,))
    assert (row["isr"], row["out_of_sync"], row["elr"]) == ([1, 2], [3], None)


def test_other_partitions_are_as_they_are() -> None:
    rows = moved(partitions(partition(0, 1, [1]), partition(1, 1, [1])), {"adding": [2, 3]})
    assert rows[1]["isr"] == [1]


def test_nothing_is_being_moved_any_more() -> None:
    moving = fact("kafka_reassignment", [{"topic": "t", "partition": 0}])
    assert len(RECOVERY.sets["kafka_reassignment"](moving, situation({}, moving))) == 0
