from typing import Any


def test_leaders_and_replicas_add_up(healthy: Any):
    fact = healthy.observe("kafka_replica_balance")
    topics = healthy.recording["topics"].values()
    assert sum(fact.columns["leaders"]) == sum(len(partitions) for partitions in topics)
    assert sum(fact.columns["preferred_leaders"]) == sum(len(partitions) for partitions in topics)
    assert sum(fact.columns["replicas"]) == sum(len(p[2]) for partitions in topics for p in partitions)
    assert all(count >= 0 for count in fact.columns["bytes"])


def test_a_broker_without_a_partition_is_a_row_of_zeros(healthy: Any):
    healthy.recording["topics"] = {"orders": [[0, 1, [1, 2], [1, 2]]], "payments": [[0, 2, [2], [2]]]}
    row = healthy.row("kafka_replica_balance", broker=3)
    assert (row["leaders"], row["replicas"], row["preferred_leaders"]) == (0, 0, 0)


def test_a_silent_broker_has_counts_and_no_bytes(broker_stopped: Any):
    row = broker_stopped.row("kafka_replica_balance", broker=3)
    assert (row["leaders"], row["bytes"]) == (0, None)
    assert row["replicas"] > 0


def test_counts_over_some_of_the_topics_are_not_told(healthy: Any):
    healthy.python.unknown_topic = "TOPIC_AUTHORIZATION_FAILED"
    fact = healthy.observe("kafka_replica_balance")
    assert not fact.complete
    assert set(fact.columns["leaders"]) == {None}


def test_bytes_of_a_broker_of_which_a_log_directory_failed_are_not_known(healthy: Any):
    healthy.python.failed_dirs = {2}
    assert healthy.row("kafka_replica_balance", broker=2)["bytes"] is None
    assert healthy.row("kafka_replica_balance", broker=1)["bytes"] > 0
