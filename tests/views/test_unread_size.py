from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.views.unread_size import UnreadSize, compute

LAG: dict[str, Any] = {
    "group": "billing",
    "topic": "orders",
    "partition": 3,
    "committed": 500,
    "begin": 100,
    "end": 900,
    "lag": 400,
}
TOPIC: dict[str, Any] = {"name": "orders", "cleanup_policy": "delete", "retention_bytes": 60_000, "overrides": {}}


def fact(name: str, *rows: dict[str, Any]) -> Fact:
    return Fact(name, {column: [row[column] for row in rows] for column in rows[0]})


def unread(lag: dict[str, Any] | None = None, topic: dict[str, Any] | None = None, *sizes: int) -> list[UnreadSize]:
    held = [{"topic": "orders", "partition": 3, "size": size} for size in sizes or (8000,)]
    return compute(  # type: ignore[return-value]  # its rows are of this kind
        lag=fact("kafka_group_lag", LAG | (lag or {})),
        topic=fact("kafka_topic", TOPIC | (topic or {})),
        size=fact("kafka_replica_size", *held),
    ).rows


def test_bytes_are_told_by_the_number_of_records():
    [row] = unread()
    assert (row.unread_bytes, row.retention_bytes, row.lag) == (4000, 60_000, 400)


def test_the_largest_replica_counts():
    assert unread(None, None, 8000, 16_000, 4000)[0].unread_bytes == 8000


@pytest.mark.parametrize("overrides", [{"remote.storage.enable": "true"}, None])
def test_a_replica_of_a_tiered_topic_does_not_tell_how_large_it_is(overrides: dict[str, str] | None):
    assert unread(None, {"overrides": overrides})[0].unread_bytes is None
    assert unread({"lag": 0}, {"overrides": overrides})[0].unread_bytes == 0


def test_what_was_deleted_is_no_longer_unread():
    assert unread({"committed": 0, "lag": 900})[0].unread_bytes == 8000


@pytest.mark.parametrize("lag", [0, 1])
def test_all_is_read_but_for_a_marker(lag: int):
    assert unread({"lag": lag})[0].unread_bytes == 0


@pytest.mark.parametrize("column", ["lag", "committed", "begin", "end"])
def test_where_a_place_is_not_known_no_bytes_are(column: str):
    assert unread({column: None})[0].unread_bytes is None


def test_where_no_replica_is_seen_no_bytes_are_known():
    assert unread({"partition": 4})[0].unread_bytes is None


@pytest.mark.parametrize("topic", [{"retention_bytes": -1}, {"cleanup_policy": "compact"}])
def test_what_does_not_go_by_size_has_no_row(topic: dict[str, Any]):
    assert unread(topic=topic) == []


@pytest.mark.parametrize("topic", [{"retention_bytes": None}, {"cleanup_policy": None}, {"name": "another"}])
def test_a_topic_of_which_that_is_not_known_has_one(topic: dict[str, Any]):
    assert len(unread(topic=topic)) == 1


@pytest.mark.parametrize("topic", [{"retention_bytes": None}, {"name": "another"}])
def test_its_bound_is_not_known_either(topic: dict[str, Any]):
    assert unread(topic=topic)[0].retention_bytes is None
