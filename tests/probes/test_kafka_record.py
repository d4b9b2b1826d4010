import importlib
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from runbook.plugins.extras import install

Play = Callable[..., Any]
DENIED = 29  # TOPIC_AUTHORIZATION_FAILED


def test_some_of_the_newest_records_of_each_partition_are_told(play: Play):
    fact = play("records", "w*").observe("kafka_record", topics=["wcodec"])
    assert Counter(fact.columns["partition"]) == dict.fromkeys(range(5), 10)
    assert max(fact.columns["offset"]) == 29
    assert fact.complete


def test_records_are_read_however_they_are_compressed(play: Play):
    fact = play("records", "w*").observe("kafka_record", topics=["wcodec"])
    assert set(zip(fact.columns["value_size"], fact.columns["partition"], strict=True)) == {(50, n) for n in range(5)}


def test_a_record_tells_its_headers_and_the_values_of_those_asked_for(play: Play):
    rows = play("records", "w*").observe("kafka_record", topics=["wcodec"], headers=["tries-left", "n", "null"]).rows()
    row = next(row for row in rows if row["offset"] == 26)
    assert row["headers"] == ["tries-left", "n", "null"]
    assert row["header"] == {"tries-left": "26", "n": "2"}  # the second is a number of four bytes, the third has none
    assert (row["key_is_null"], row["key_size"]) == (False, 3)


def test_no_header_is_told_that_was_not_asked_for(play: Play):
    assert set(map(str, play("records", "w*").observe("kafka_record").columns["header"])) == {"{}"}


def test_keys_and_values_are_not_in_the_fact(play: Play):
    fact = play("records", "*").observe("kafka_record", topics=["wcodec", "deliveries"], headers=["tries-left"])
    text = json.dumps(fact.columns)
    assert len(fact) > 50
    assert [word for word in ("xxxxx", "delivery ", "k26") if word in text] == []


def test_the_id_of_a_schema_is_read_out_of_the_wire_format(play: Play):
    played = play("records", "*")
    schemas = dict.fromkeys(played.observe("kafka_record", topics=["deliveries"]).columns["value_schema"])
    assert list(schemas) == [7]
    assert set(played.observe("kafka_record", topics=["wcodec"]).columns["value_schema"]) == {-1}


def test_a_topic_that_may_not_be_read_is_a_gap_with_the_remedy_and_is_not_asked_for(play: Play):
    played = play("records", "deliveries")
    fact = played.observe("kafka_record", topics=["deliveries", "orders"])
    assert set(fact.columns["topic"]) == {"deliveries"}
    [gap] = fact.gaps
    assert gap.keys == {"topic": "orders"}
    assert "may_read: [orders]" in gap.reason


def test_without_leave_nothing_is_read_at_all(play: Play):
    played = play("records")
    fact = played.observe("kafka_record")
    assert (len(fact), "may_read:" in fact.gaps[0].reason) == (0, True)
    assert "Fetch" not in played.python.asked


def test_without_leave_topics_that_are_not_there_are_no_gap(play: Play):
    fact = play("records").observe("kafka_record", topics=["*.retry"])
    assert (len(fact), fact.complete) == (0, True)


def test_kafkas_own_topics_are_not_meant_by_a_pattern(play: Play):
    fact = play("records", "*").observe("kafka_record", topics=["__consumer_offsets"])
    assert "may_read: [__consumer_offsets]" in fact.gaps[0].reason


def test_an_empty_topic_has_no_rows_and_no_gap(play: Play):
    fact = play("records", "*").observe("kafka_record", topics=["wempty"])
    assert (len(fact), fact.complete) == (0, True)


def test_a_topic_that_all_partitions_were_too_many_for_is_a_gap(play: Play):
    fact = play("records", "*").observe("kafka_record", topics=["w*", "deliveries"], partitions=2)
    assert [gap.keys["topic"] for gap in fact.gaps] == ["wctx"]
    assert set(fact.columns["topic"]) == {"deliveries", "wcodec"}


def test_a_topic_that_the_cluster_does_not_let_us_read_is_a_gap_with_the_right(play: Play):
    played = play("records", "*")
    played.python.refused["Fetch"] = DENIED
    fact = played.observe("kafka_record", topics=["deliveries"])
    assert (len(fact), fact.complete) == (0, False)


def test_what_is_missing_to_undo_compression_is_told_with_the_remedy(play: Play, monkeypatch: Any):
    monkeypatch.setattr(importlib.import_module("kafka.codec"), "has_zstd", lambda: False)
    fact = play("records", "w*").observe("kafka_record", topics=["wcodec"])
    [gap] = fact.gaps
    assert "wcodec-4" in gap.reason
    assert install("records") in gap.reason
    assert set(fact.columns["partition"]) == {0, 1, 2, 3}
