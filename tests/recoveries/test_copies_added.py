"""Topics with as many copies as the brokers in service can hold, three at most."""

from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.recoveries.copies_added import RECOVERY
from support.kafka_facts import brokers, fact, partition, partitions, situation

ONE = partition(0, 2, (2,), (2,)) | {"racks": ["b"], "needs": 1}


def made(probe: str, there: Fact, broker: Fact, *topics: str) -> dict[str, list[Any]]:
    return RECOVERY.sets[probe](there, situation({"topics": topics}, there, broker)).columns


def test_copies_come_on_other_brokers_in_sync_and_the_leader_stays() -> None:
    now = made("kafka_partition", partitions(ONE, ONE | {"topic": "u"}), brokers(), "t")
    assert now["replicas"] == [[2, 1, 3], [2]]
    assert now["isr"] == [[2, 1, 3], [2]]
    assert now["out_of_sync"] == [[], []]
    assert now["elr"] == [[], []]
    assert now["leader"] == now["preferred_leader"] == [2, 2]
    assert now["racks"] == [["a", "b", "c"], ["b"]]
    assert now["needs"] == [2, 1]  # min.insync.replicas 2 was capped by the one copy


def test_a_rack_that_holds_none_comes_before_one_that_does() -> None:
    four = fact(
        "kafka_broker",
        [{"broker": node, "rack": rack, "in_service": True} for node, rack in zip((1, 2, 3, 4), "bbca", strict=True)],
    )
    assert made("kafka_partition", partitions(ONE), four, "t")["replicas"] == [[2, 3, 4]]


def test_brokers_out_of_service_get_none_and_what_is_out_of_sync_stays_so() -> None:
    two = partition(0, 2, (2,), (2, 1))
    now = made("kafka_partition", partitions(two), brokers(3), "t")
    assert (now["replicas"], now["isr"], now["out_of_sync"]) == ([[2, 1]], [[2]], [[1]])
    assert now["elr"] == [None]


@pytest.mark.parametrize("broker", [fact("kafka_broker", [{"broker": 1, "in_service": None}])])
def test_where_it_is_not_known_who_could_hold_them_nothing_is(broker: Fact) -> None:
    assert made("kafka_partition", partitions(ONE), broker, "t")["replicas"] == [None]
    topic = fact("kafka_topic", [{"name": "t", "replication_factor": 1}])
    assert made("kafka_topic", topic, broker, "t")["replication_factor"] == [None]


def test_topics_have_as_many_and_none_gets_fewer() -> None:
    topics = fact(
        "kafka_topic", [{"name": name, "replication_factor": had} for name, had in (("t", 1), ("u", 1), ("v", 4))]
    )
    assert made("kafka_topic", topics, brokers(), "t", "v")["replication_factor"] == [3, 1, 4]


def test_each_new_copy_has_a_row() -> None:
    row = {"topic": "t", "partition": 0, "broker": 2, "in_sync": True, "leads": True, "preferred": True}
    now = made("kafka_replica", fact("kafka_replica", [row]), brokers(), "t")
    assert now["broker"] == [2, 1, 3]
    assert now["in_sync"] == [True, True, True]
    assert now["leads"] == now["preferred"] == [True, False, False]
