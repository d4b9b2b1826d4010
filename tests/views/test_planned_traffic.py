from typing import Any

import pytest

from runbook.model.fact import Fact, tabulate
from runbook.views.planned_traffic import VIEW, compute

_FROM, _TO = "2026-01-01T00:00:00.000Z", "2026-01-01T12:00:00.000Z"


def traffic(line: str, *parts: dict[str, Any], policy: str | None = "delete") -> list[dict[str, Any]]:
    """The rows of one topic `a`, whose partitions have 100 records of 10 bytes each in half a day."""
    whole = [
        {"partition": i, "leader": 1, "records": 100, "oldest": _FROM, "newest": _TO, "size": 1000} | part
        for i, part in enumerate(parts or ({},))
    ]
    topic = Fact("kafka_topic", {"name": ["a"], "cleanup_policy": [policy]})
    columns = ("partition", "leader", "records", "oldest", "newest")
    offset = Fact(
        "kafka_partition_offset",
        {"topic": ["a"] * len(whole)} | {name: [part[name] for part in whole] for name in columns},
    )
    size = Fact(
        "kafka_replica_size",
        {
            "topic": ["a"] * len(whole),
            "partition": [part["partition"] for part in whole],
            "broker": [1] * len(whole),
            "size": [part["size"] for part in whole],
        },
    )
    computed = compute(topic=topic, offset=offset, size=size, planned=[line])
    return list(tabulate("planned_traffic", VIEW.columns, computed).rows())


def test_what_is_there_is_counted_over_all_partitions_and_its_own_time() -> None:
    [row] = traffic("a records_per_day=300 record_bytes=5", {}, {"newest": "2026-01-01T06:00:00.000Z"})
    assert (row["records_per_day"], row["record_bytes"]) == (400, 10)
    assert (row["planned_records"], row["planned_bytes"], row["mistakes"]) == (300, 5, [])


def test_empty_partitions_change_nothing_and_an_empty_topic_has_no_row() -> None:
    empty = {"records": 0, "oldest": None, "newest": None, "size": 0}
    assert [row["record_bytes"] for row in traffic("a record_bytes=5", {}, empty)] == [10]
    assert traffic("a record_bytes=5", empty) == []


@pytest.mark.parametrize("line", ["b record_bytes=5", "   "])
def test_a_topic_without_a_line_has_no_row(line: str) -> None:
    assert traffic(line) == []


def test_a_compacted_topic_and_records_of_minutes_tell_no_rate() -> None:
    assert traffic("a record_bytes=5", policy="compact,delete") == []
    assert traffic("a record_bytes=5", {"newest": "2026-01-01T00:59:59.000Z"}) == []


def test_words_that_mean_nothing_are_told_even_of_a_topic_that_tells_no_rate() -> None:
    [row] = traffic("a record_bytes=5 per_day=7 records_per_day=many", {"newest": _FROM})
    assert row["mistakes"] == ["per_day=7", "records_per_day=many"]


@pytest.mark.parametrize("name", ["records", "oldest", "newest"])
def test_one_part_unknown_leaves_the_rate_unknown(name: str) -> None:
    [row] = traffic("a record_bytes=5", {}, {name: None})
    assert (row["records_per_day"], row["record_bytes"]) == (None, None)


def test_a_policy_that_is_not_known_leaves_all_unknown() -> None:
    [row] = traffic("a record_bytes=5", policy=None)
    assert row["records_per_day"] is None


def test_a_leader_that_tells_no_size_leaves_the_size_unknown() -> None:
    [row] = traffic("a record_bytes=5", {}, {"leader": 2})
    assert (row["records_per_day"], row["record_bytes"]) == (400, None)
