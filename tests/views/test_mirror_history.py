from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.views.mirror_history import compute
from support.kafka_facts import fact

DAY = "2026-11-{}T06:00:00.000Z"
KEPT = {"cleanup_policy": "delete", "timestamp_type": "CreateTime"}


def reaches(topic: str, first: int | None, last: int | None = 21, records: int | None = 9) -> Fact:
    times = {"oldest": first and DAY.format(first), "newest": last and DAY.format(last)}
    return fact("kafka_partition_offset", [{"topic": topic, "partition": 0, "records": records, **times}])


def share(source: Fact, target: Fact, **cells: Any) -> list[tuple[int | None, list[str]]]:
    topics = fact("kafka_topic", [{"name": "a.orders"} | KEPT | cells])
    found = compute(source=source, target=target, topic=topics, prefix="a.", topics=["orders"])
    return [(row.share, [gap.reason for gap in found.gaps]) for row in found.rows]


@pytest.mark.parametrize(("begins", "percent"), [(10, 100), (11, 100), (13, 80), (16, 50), (21, 0), (22, 0)])
def test_the_share_is_of_the_time_from_the_first_record_to_the_newest(begins: int, percent: int) -> None:
    assert share(reaches("orders", 11), reaches("a.orders", begins)) == [(percent, [])]


def test_a_source_of_one_moment_is_whole_or_not_there_at_all() -> None:
    assert share(reaches("orders", 11, 11), reaches("a.orders", 11)) == [(100, [])]
    assert share(reaches("orders", 11, 11), reaches("a.orders", 12)) == [(0, [])]


@pytest.mark.parametrize(("source", "newest", "begins"), [(None, 21, 11), (11, None, 11), (11, 21, None)])
def test_a_time_that_is_not_known_leaves_the_share_unknown(
    source: int | None, newest: int | None, begins: int | None
) -> None:
    assert share(reaches("orders", source, newest), reaches("a.orders", begins)) == [(None, [])]


@pytest.mark.parametrize(
    "cells", [{"timestamp_type": "LogAppendTime"}, {"timestamp_type": None}, {"cleanup_policy": None}]
)
def test_a_mirror_with_times_of_its_own_or_of_which_nothing_is_told_is_not_judged(cells: dict[str, Any]) -> None:
    [(percent, gaps)] = share(reaches("orders", 11), reaches("a.orders", 20), **cells)
    assert (percent, len(gaps)) == (None, 1)


def test_compacted_and_empty_and_other_topics_have_no_row() -> None:
    whole = reaches("orders", 11)
    assert share(whole, reaches("a.orders", 20), cleanup_policy="compact,delete") == []
    assert share(reaches("orders", 11, records=0), reaches("a.orders", 20)) == []
    assert share(whole, reaches("a.orders", 20, records=0)) == []
    assert share(whole, reaches("a.other", 20)) == []
    assert share(reaches("others", 11), reaches("a.others", 20)) == []


def test_records_that_nobody_counted_may_be_there() -> None:
    assert share(reaches("orders", 11, records=None), reaches("a.orders", 16)) == [(50, [])]
    assert share(reaches("orders", 11), reaches("a.orders", 16, records=None)) == [(50, [])]


def older(begin: int | None, source: int | None, mirror: int | None, **cells: Any) -> bool | None:
    first = fact(
        "kafka_partition_offset",
        [
            {
                "topic": "orders",
                "partition": 0,
                "records": 9,
                "begin": begin,
                "oldest": source and DAY.format(source),
                "newest": DAY.format(21),
            }
        ],
    )
    topics = fact("kafka_topic", [{"name": "a.orders"} | KEPT | cells])
    [row] = compute(source=first, target=reaches("a.orders", mirror), topic=topics, prefix="a.", topics=["orders"]).rows
    return row.older  # type: ignore[attr-defined, no-any-return]


def test_records_from_before_the_first_that_a_source_ever_had_are_of_another_topic() -> None:
    assert older(0, 20, 11) is True
    assert older(0, 11, 11) is False
    assert older(0, 11, 20) is False


def test_a_source_that_has_lost_its_first_records_may_have_had_older_ones() -> None:
    assert older(7, 20, 11) is False


@pytest.mark.parametrize(("begin", "source", "mirror"), [(None, 20, 11), (0, None, 11), (0, 20, None)])
def test_which_records_are_older_is_unknown_for_want_of_a_time(
    begin: int | None, source: int | None, mirror: int | None
) -> None:
    assert older(begin, source, mirror) is None


def test_times_of_arrival_tell_nothing_of_age() -> None:
    assert older(0, 20, 11, timestamp_type="LogAppendTime") is None
