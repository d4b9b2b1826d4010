from typing import Any

from msgspec.structs import replace

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.topic_content import VIEW, compute
from support.kafka_facts import fact

_TOPIC = {"name": "orders", "internal": False, "partitions": 2, "replication_factor": 2}


def offsets(*records: int | None, newest: str | None = "2026-01-01T12:00:00.000Z", leader: int = 1) -> Fact:
    rows = [
        {
            "topic": "orders",
            "partition": number,
            "leader": leader,
            "end": count,
            "records": count,
            "newest": newest if count else None,
        }
        for number, count in enumerate(records)
    ]
    return fact("kafka_partition_offset", rows)


def sizes(*bytes_: int) -> Fact:
    rows = [
        {"topic": "orders", "partition": number, "broker": broker, "path": "/d", "size": held}
        for number, held in enumerate(bytes_)
        for broker in (1, 2)
    ]
    return fact("kafka_replica_size", rows)


def row(offset: Fact, size: Fact) -> dict[str, Any]:
    topic = fact("kafka_topic", [_TOPIC])
    [found] = tabulate("topic_content", VIEW.columns, compute(topic=topic, offset=offset, size=size)).rows()
    return found


def test_a_topic_is_the_sum_of_what_its_leaders_hold():
    assert row(offsets(3, 4), sizes(100, 300)) == {
        "topic": "orders",
        "internal": False,
        "partitions": 2,
        "written": True,
        "records": 7,
        "newest": "2026-01-01T12:00:00.000Z",
        "bytes": 400,
        "disk_bytes": 800,
        "largest": 1,
        "largest_bytes": 300,
        "skew": 1.5,
    }


def test_an_empty_topic_was_written_to_or_never():
    never = row(offsets(0, 0), sizes(0, 0))
    assert (never["written"], never["records"], never["newest"], never["skew"]) == (False, 0, None, 1.0)
    ends = {"end": [5, 0]}
    once = row(replace(offsets(0, 0), columns=offsets(0, 0).columns | ends), sizes(0, 0))
    assert (once["written"], once["records"]) == (True, 0)


def test_one_partition_that_does_not_tell_leaves_sums_unknown():
    seen = row(offsets(3, None), sizes(1, 2))
    assert (seen["written"], seen["records"], seen["newest"]) == (True, None, None)
    assert row(offsets(0, None), sizes(1, 2))["written"] is None


def test_a_leader_whose_size_is_not_told_leaves_bytes_unknown():
    seen = row(offsets(3, 4, leader=3), sizes(1, 2))
    assert [seen[name] for name in ("bytes", "disk_bytes", "largest", "largest_bytes", "skew")] == [None] * 5


def test_a_broker_that_does_not_tell_leaves_what_disks_hold_unknown():
    seen = row(offsets(3, 4), replace(sizes(1, 2), gaps=[Gap("broker 2 did not answer", {"broker": 2})]))
    assert (seen["bytes"], seen["disk_bytes"]) == (3, None)


def test_a_time_that_one_partition_does_not_tell_is_unknown():
    assert row(offsets(3, 4, newest=None), sizes(1, 2))["newest"] is None
