from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.partition_retention import VIEW, compute
from support.kafka_facts import fact

_HOUR = 3_600_000
_MIB = 1 << 20


def offsets(**more: Any) -> Fact:
    cells = {
        "topic": "orders",
        "partition": 0,
        "leader": 2,
        "begin": 0,
        "end": 10,
        "records": 10,
        "oldest": "2026-01-01T10:00:00.000Z",
        "newest": "2026-01-01T12:00:00.000Z",
    }
    return fact("kafka_partition_offset", [cells | more])


def sizes(size: int = 2 * _MIB) -> Fact:
    rows = [
        {"topic": "orders", "partition": 0, "broker": broker, "path": "/d", "size": held}
        for broker, held in ((1, 7), (2, size))
    ]
    return fact("kafka_replica_size", rows)


def config(**more: Any) -> Fact:
    cells = {
        "topic": "orders",
        "deletes": True,
        "retention_ms": _HOUR,
        "segment_bytes": 10 * _MIB,
        "roll_ms": 168 * _HOUR,
    }
    return Fact("topic_config", {name: [value] for name, value in (cells | more).items()})


def rows(offset: Fact, size: Fact, settings: Fact) -> list[dict[str, Any]]:
    return list(
        tabulate("partition_retention", VIEW.columns, compute(offset=offset, size=size, config=settings)).rows()
    )


def test_a_segment_is_full_when_the_rate_so_far_has_filled_it():
    assert rows(offsets(), sizes(), config()) == [
        {
            "topic": "orders",
            "partition": 0,
            "records": 10,
            "bytes": 2 * _MIB,
            "oldest": "2026-01-01T10:00:00.000Z",
            "newest": "2026-01-01T12:00:00.000Z",
            "retention_ms": _HOUR,
            "roll_ms": 168 * _HOUR,
            "closes_ms": 10 * _HOUR,
        }
    ]


def test_it_is_closed_by_time_where_that_comes_sooner():
    assert rows(offsets(), sizes(), config(roll_ms=3 * _HOUR))[0]["closes_ms"] == 3 * _HOUR


def test_records_of_one_moment_tell_no_rate():
    [row] = rows(offsets(oldest="2026-01-01T12:00:00.000Z"), sizes(), config())
    assert row["closes_ms"] is None


def test_without_the_leaders_size_no_rate_is_known():
    [row] = rows(offsets(leader=3), sizes(), config())
    assert (row["bytes"], row["closes_ms"]) == (None, None)


def test_topics_that_do_not_delete_by_time_are_left_out():
    assert rows(offsets(), sizes(), config(deletes=False)) == []
    assert rows(offsets(), sizes(), config(retention_ms=-1)) == []


def test_a_topic_whose_settings_are_not_known_is_a_row_of_which_nothing_is_known():
    [row] = rows(offsets(), sizes(), config(deletes=None, retention_ms=None, roll_ms=None))
    assert (row["retention_ms"], row["closes_ms"]) == (None, None)
    [row] = rows(offsets(), sizes(), config(deletes=None))
    assert row["retention_ms"] is None
