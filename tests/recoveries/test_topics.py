from runbook.recoveries import (
    a_copy_may_lack,
    segments_close,
    times_are_right,
    topics_have_a_bound,
    topics_have_one_partition,
)
from support.kafka_facts import fact, situation


def test_topics_that_asked_for_all_copies_ask_for_one_less_and_one_copy_is_asked_for_still() -> None:
    partitions = [("orders", [1, 2, 3], 3), ("orders", [1, 2, 3], None), ("alone", [1], 1), ("other", [1, 2], 2)]
    seen = fact(
        "kafka_partition",
        [
            {"topic": topic, "partition": n, "replicas": replicas, "needs": least, "min_insync_replicas": least}
            for n, (topic, replicas, least) in enumerate(partitions)
        ],
    )
    given = situation({"topics": ["orders", "alone"]})
    made = a_copy_may_lack.RECOVERY.sets["kafka_partition"](seen, given)
    assert made.columns["needs"] == made.columns["min_insync_replicas"] == [2, None, 1, 2]
    topics = fact(
        "kafka_topic",
        [
            {"name": name, "replication_factor": copies, "min_insync_replicas": least}
            for name, copies, least in (("orders", 3, 3), ("alone", 1, 1), ("other", 2, 2), ("orders", None, 3))
        ],
    )
    assert a_copy_may_lack.RECOVERY.sets["kafka_topic"](topics, given).columns["min_insync_replicas"] == [2, 1, 2, 3]


def test_segments_are_closed_within_the_retention_and_what_is_there_then_is_not_known() -> None:
    given = situation({"topics": ["sessions"]})
    settings = (
        ("sessions", 3_600_000, 7),
        ("sessions", -1, 7),
        ("sessions", 5, 7),
        ("other", 5, 7),
        ("sessions", 5, None),
    )
    topics = fact(
        "kafka_topic", [{"name": name, "retention_ms": kept, "segment_ms": ms} for name, kept, ms in settings]
    )
    assert segments_close.RECOVERY.sets["kafka_topic"](topics, given).columns["segment_ms"] == [7, 7, 5, 7, None]
    ends = [{"topic": topic, "partition": 0, "begin": 0, "end": 9, "records": 9} for topic in ("sessions", "other")]
    made = segments_close.RECOVERY.sets["kafka_partition_offset"](fact("kafka_partition_offset", ends), given)
    assert (made.columns["records"], made.columns["end"]) == ([None, 9], [9, 9])
    sizes = [{"topic": topic, "partition": 0, "broker": 1, "size": 9} for topic in ("sessions", "other")]
    made = segments_close.RECOVERY.sets["kafka_replica_size"](fact("kafka_replica_size", sizes), given)
    assert made.columns["size"] == [None, 9]


def test_which_times_records_would_have_is_not_known() -> None:
    given = situation({"topics": ["clicks"]})
    newest = "2026-01-01T00:00:00Z"
    ends = [{"topic": topic, "partition": 0, "end": 9, "newest": newest} for topic in ("clicks", "other")]
    made = times_are_right.RECOVERY.sets["kafka_partition_offset"](fact("kafka_partition_offset", ends), given)
    assert (made.columns["newest"], made.columns["end"]) == ([None, newest], [9, 9])
    sizes = [{"topic": topic, "partition": 0, "broker": 1, "size": 9} for topic in ("clicks", "other")]
    made = times_are_right.RECOVERY.sets["kafka_replica_size"](fact("kafka_replica_size", sizes), given)
    assert made.columns["size"] == [None, 9]


def test_topics_that_kept_everything_have_kafkas_default_and_what_is_left_is_not_known() -> None:
    given = situation({"topics": ["clicks"]})
    names = ("clicks", "other")
    seen = fact("kafka_topic", [{"name": name, "retention_ms": -1, "retention_bytes": -1} for name in names])
    made = topics_have_a_bound.RECOVERY.sets["kafka_topic"](seen, given)
    assert (made.columns["retention_ms"], made.columns["retention_bytes"]) == ([604_800_000, -1], [-1, -1])
    ends = fact("kafka_partition_offset", [{"topic": name, "records": 9, "end": 9} for name in names])
    made = topics_have_a_bound.RECOVERY.sets["kafka_partition_offset"](ends, given)
    assert (made.columns["records"], made.columns["end"]) == ([None, 9], [9, 9])
    sizes = fact("kafka_replica_size", [{"topic": name, "size": 9} for name in names])
    assert topics_have_a_bound.RECOVERY.sets["kafka_replica_size"](sizes, given).columns["size"] == [None, 9]


def test_a_topic_that_needs_one_order_has_one_partition_and_others_keep_theirs() -> None:
    seen = fact("kafka_topic", [{"name": name, "partitions": 6} for name in ("ledger", "other")])
    made = topics_have_one_partition.RECOVERY.sets["kafka_topic"](seen, situation({"topics": ["ledger"]}))
    assert made.columns["partitions"] == [1, 6]
