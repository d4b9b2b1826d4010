from runbook.recoveries.followers_in_sync import RECOVERY
from support.kafka_facts import brokers, fact, partition, situation


def test_what_that_leader_leads_is_in_sync_and_the_rest_stays() -> None:
    there = fact("kafka_partition", [partition(0, 2, (2,)), partition(1, 1, (1, 2))])
    made = RECOVERY.sets["kafka_partition"](there, situation({"brokers": [2]}, there, brokers()))
    assert made.columns["isr"] == [[1, 2, 3], [1, 2]]
    assert made.columns["elr"] == [[], []]


def test_its_replicas_are_in_sync() -> None:
    there = fact("kafka_partition", [partition(0, 2, (2,)), partition(1, 1, (1, 2))])
    rows = [{"topic": "t", "partition": number, "broker": 3, "in_sync": False} for number in (0, 1)]
    replicas = fact("kafka_replica", rows)
    made = RECOVERY.sets["kafka_replica"](replicas, situation({"brokers": [2]}, there, replicas, brokers()))
    assert made.columns["in_sync"] == [True, False]
