import pytest

from runbook.views import topic_arrival
from support.mirror_facts import fact_of, seen

NEWEST = "2026-11-22T12:00:50.000Z"


def arrived(stamp: str | None, *patterns: str, newest: str | None = NEWEST) -> tuple[str | None, list[str]]:
    records = fact_of("kafka_partition_offset", [{"topic": "a.dlq", "partition": 0, "records": 1, "newest": newest}])
    topics = fact_of("kafka_topic", [{"name": "a.dlq", "timestamp_type": stamp}])
    [row] = seen(topic_arrival, offset=records, topic=topics, dated_by_arrival=[*patterns])
    gaps = topic_arrival.compute(offset=records, topic=topics, dated_by_arrival=[*patterns]).gaps
    assert row["newest"] == newest
    return row["arrived"], [gap.reason for gap in gaps]


def test_times_that_the_broker_sets_are_times_of_arrival() -> None:
    assert arrived("LogAppendTime") == (NEWEST, [])


@pytest.mark.parametrize("stamp", ["CreateTime", None])
def test_times_that_writers_set_are_not(stamp: str | None) -> None:
    when, [reason] = arrived(stamp)
    assert when is None
    assert reason.startswith("a.dlq: ")


def test_unless_writers_are_known_to_date_by_arrival() -> None:
    assert arrived("CreateTime", "*.dlq") == (NEWEST, [])
    assert arrived("CreateTime", "b*")[0] is None


def test_where_there_is_no_record_nothing_is_missing() -> None:
    assert arrived("CreateTime", newest=None) == (None, [])
