import json
from collections.abc import Callable
from typing import Any

Play = Callable[..., Any]


def test_keys_that_are_in_several_partitions_are_counted_and_not_told(play: Play):
    """The recorded topic has the same ten keys in each of its five partitions: who wrote it named the partition."""
    fact = play("records", "w*").observe("kafka_key", topics=["wcodec"])
    assert [*fact.rows()] == [
        {"topic": "wcodec", "partitions": 5, "keyed": 50, "murmur2": 10, "crc32": 10, "fnv1a": 10, "split": 10}
    ]
    assert fact.complete
    assert "k26" not in json.dumps(fact.columns)


def test_a_topic_that_may_not_be_read_is_a_gap(play: Play):
    fact = play("records", "w*").observe("kafka_key", topics=["orders"])
    assert (len(fact), ["may_read: [orders]" in gap.reason for gap in fact.gaps]) == (0, [True])


def test_without_leave_nothing_is_read_at_all(play: Play):
    played = play("records")
    fact = played.observe("kafka_key")
    assert (len(fact), "may_read:" in fact.gaps[0].reason, "Fetch" in played.python.asked) == (0, True, False)


def test_records_without_a_key_are_left_out(play: Play):
    fact = play("records", "*").observe("kafka_key", topics=["deliveries"])
    assert [row["topic"] for row in fact.rows()] in ([], ["deliveries"])
