from typing import Any


def test_a_topic_comes_with_the_settings_in_force_and_their_source(healthy: Any):
    orders = healthy.row("kafka_topic", name="orders")
    assert (orders["partitions"], orders["replication_factor"]) == (6, 3)
    assert (orders["min_insync_replicas"], orders["min_insync_replicas_source"]) == (2, "DYNAMIC_TOPIC_CONFIG")
    assert orders["overrides"] == {"min.insync.replicas": "2"}
    assert orders["cleanup_policy"] == "delete"
    assert orders["timestamp_type"] == "CreateTime"
    clicks = healthy.row("kafka_topic", name="clicks")
    assert clicks["min_insync_replicas_source"] != "DYNAMIC_TOPIC_CONFIG"
    assert clicks["overrides"] == {}


def test_internal_topics_can_be_left_out_or_taken_alone(healthy: Any):
    internal = ["__consumer_offsets", "__transaction_state"]
    assert healthy.observe("kafka_topic", internal=True).columns["name"] == internal
    others = healthy.observe("kafka_topic", internal=False).columns["name"]
    assert "orders" in others
    assert not set(internal) & set(others)
    assert sorted(internal + others) == healthy.observe("kafka_topic").columns["name"]


def test_the_replication_factor_is_that_of_the_poorest_partition(healthy: Any):
    healthy.recording["topics"]["orders"][3][2] = [1, 2]
    assert healthy.row("kafka_topic", name="orders")["replication_factor"] == 2


def test_a_list_without_proof_of_right_is_not_complete(healthy: Any):
    healthy.python.unknown_topic = "TOPIC_AUTHORIZATION_FAILED"
    fact = healthy.observe("kafka_topic")
    assert [gap.reason for gap in fact.gaps] == ["topics may be hidden from us: we have no Describe on all topics"]
    assert "orders" in fact.columns["name"]


def test_settings_that_may_not_be_read_are_unknown_and_the_rest_is_told(healthy: Any):
    healthy.python.refused["DescribeConfigs"] = 29
    fact = healthy.observe("kafka_topic")
    assert fact.complete
    assert set(fact.columns["min_insync_replicas"]) == {None}
    assert set(fact.columns["overrides"] if fact.columns["overrides"][0] else [None]) == {None}
    assert None not in fact.columns["replication_factor"]


def test_each_request_is_made_once_however_many_probes_ask(healthy: Any):
    for probe in ("kafka_topic", "kafka_partition", "kafka_broker", "kafka_cluster", "kafka_topic"):
        healthy.observe(probe)
    assert len(healthy.python.asked) == len(set(healthy.python.asked))
