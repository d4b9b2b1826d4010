from runbook.recoveries.replication_throttle_removed import RECOVERY
from support.kafka_facts import brokers, fact, partition, situation

_LIST = "leader.replication.throttled.replicas"


def test_what_was_held_back_is_in_sync_on_brokers_that_serve() -> None:
    there = fact("kafka_partition", [partition(0, 1, (1,)), partition(1, -1, (2,))])
    made = RECOVERY.sets["kafka_partition"](there, situation({"topics": ["t"]}, there, brokers(3)))
    assert made.columns["isr"] == [[1, 2], [2]]
    assert made.columns["out_of_sync"] == [[3], [1, 3]]


def test_other_topics_stay_as_they_are() -> None:
    there = fact("kafka_partition", [partition(0, 1, (1,))])
    made = RECOVERY.sets["kafka_partition"](there, situation({"topics": ["u"]}, there, brokers()))
    assert made.columns["isr"] == [[1]]


def test_the_lists_of_the_throttle_are_gone_and_other_settings_stay() -> None:
    there = fact("kafka_topic", [{"name": "t", "overrides": {_LIST: "*", "retention.ms": "1"}}, {"name": "u"}])
    made = RECOVERY.sets["kafka_topic"](there, situation({"topics": ["t", "u"]}, there))
    assert made.columns["overrides"] == [{"retention.ms": "1"}, None]


def test_replicas_of_the_topic_are_in_sync() -> None:
    there = fact("kafka_replica", [{"topic": "t", "partition": 0, "broker": node, "in_sync": False} for node in (2, 3)])
    made = RECOVERY.sets["kafka_replica"](there, situation({"topics": ["t"]}, there, brokers(3)))
    assert made.columns["in_sync"] == [True, False]
