from typing import Any

from runbook.model.fact import Fact
from runbook.recoveries.unclean_leader_elected import RECOVERY
from support.kafka_facts import brokers, fact, partition, partitions, situation

STUCK = partition(0, -1, [], [3, 2]) | {"elr": [1], "last_leader": 3}


def after(probe: str, *facts: Fact, topic: str = "t") -> list[dict[str, Any]]:
    mine = next(fact for fact in facts if fact.source == probe)
    return list(RECOVERY.sets[probe](mine, situation({"topics": [topic]}, *facts)).rows())


def test_the_first_replica_that_serves_leads_and_the_others_follow() -> None:
    [row, led] = after("kafka_partition", brokers(), partitions(STUCK, partition(1, 1, [1])))
    assert (row["leader"], row["isr"], row["elr"], row["out_of_sync"]) == (3, [3, 2], [], [])
    assert (led["leader"], led["isr"]) == (1, [1])


def test_who_is_down_is_not_elected_and_stays_out() -> None:
    [row] = after("kafka_partition", brokers(3), partitions(STUCK))
    assert (row["leader"], row["isr"], row["out_of_sync"], row["elr"]) == (2, [2], [3], None)
    [row] = after("kafka_partition", brokers(2, 3), partitions(STUCK))
    assert (row["leader"], row["isr"], row["last_leader"]) == (-1, [], 3)


def test_other_topics_stay() -> None:
    [row] = after("kafka_partition", brokers(), partitions(STUCK), topic="u")
    assert (row["leader"], row["elr"]) == (-1, [1])


def test_replicas_are_as_their_partition_then() -> None:
    replicas = [{"topic": "t", "partition": 0, "broker": node, "in_sync": False, "leads": False} for node in (3, 2)]
    rows = after("kafka_replica", brokers(), partitions(STUCK), fact("kafka_replica", replicas))
    assert [(row["in_sync"], row["leads"]) for row in rows] == [(True, True), (True, False)]
