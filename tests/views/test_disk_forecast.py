"""Each figure here is worked out by hand: bytes over the age of the oldest record, up to what retention lets stay."""

from typing import Any

import pytest

from runbook.model.fact import Fact, tabulate
from runbook.views.disk_forecast import VIEW, compute

_DAY = 86_400_000  # milliseconds
_GB = 10**9
_NOW = "2026-01-11T00:00:00.000Z"
_TEN_DAYS_AGO = "2026-01-01T00:00:00.000Z"
_CONFIG = {
    "deletes": True,
    "retention_ms": -1,
    "segment_bytes": 1,
    "roll_ms": 7 * _DAY,
    "remote_storage": False,
}


def forecast(
    *topics: dict[str, Any], usable: int | None = 100 * _GB, dirs: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    """The first volume; each topic has one partition on it, of 10 GB and ten days unless it says otherwise."""
    whole = [
        {"topic": f"t{i}", "size": 10 * _GB, "oldest": _TEN_DAYS_AGO, "records": 5} | t for i, t in enumerate(topics)
    ]
    names = [one["topic"] for one in whole]
    log_dirs = dirs or [{"path": "/a", "error": "", "total_bytes": 500 * _GB, "usable_bytes": usable}]
    zeros: list[Any] = [0] * len(whole)
    log_dir = Fact(
        "kafka_log_dir",
        {"broker": [1] * len(log_dirs)}
        | {name: [one[name] for one in log_dirs] for name in ("path", "error", "total_bytes", "usable_bytes")},
    )
    size = Fact(
        "kafka_replica_size",
        {
            "topic": names,
            "partition": zeros,
            "broker": [1] * len(whole),
            "path": ["/a"] * len(whole),
            "size": [one["size"] for one in whole],
        },
    )
    offset = Fact(
        "kafka_partition_offset",
        {"topic": names, "partition": zeros} | {name: [one[name] for one in whole] for name in ("records", "oldest")},
        collected_at=_NOW,
    )
    topic = Fact("kafka_topic", {"name": names, "retention_bytes": [one.get("retention_bytes", -1) for one in whole]})
    config = Fact(
        "topic_config", {"topic": names} | {name: [one.get(name, _CONFIG[name]) for one in whole] for name in _CONFIG}
    )
    computed = compute(log_dir=log_dir, size=size, offset=offset, topic=topic, config=config)
    [row, *_] = tabulate("disk_forecast", VIEW.columns, computed).rows()
    return row


def test_a_topic_without_a_limit_grows_on_as_it_grew() -> None:
    row = forecast({})
    assert (row["grows"], row["more_bytes"], row["days"], row["fastest"]) == (_GB, -1, 100.0, "t0")


def test_retention_ends_the_growth_of_one_topic_and_the_other_goes_on() -> None:
    """Two GB a day for five days, then one: 10 + 90 GB."""
    row = forecast({"retention_ms": 15 * _DAY, "segment_bytes": 0}, {}, usable=100 * _GB)
    assert (row["grows"], row["days"]) == (2 * _GB, 95.0)


def test_what_retention_keeps_may_fit_for_ever() -> None:
    row = forecast({"retention_ms": 15 * _DAY, "segment_bytes": _GB}, usable=7 * _GB)
    assert (row["more_bytes"], row["days"]) == (6 * _GB, -1)


def test_the_open_segment_counts_as_it_goes_as_a_whole() -> None:
    row = forecast({"retention_ms": 15 * _DAY, "segment_bytes": 3 * _GB}, usable=7 * _GB)
    assert (row["more_bytes"], row["days"]) == (8 * _GB, 7.0)
    slow = forecast({"retention_ms": 15 * _DAY, "segment_bytes": 3 * _GB, "roll_ms": _DAY}, usable=7 * _GB)
    assert slow["more_bytes"] == 6 * _GB  # a day's worth, as the segment is closed after a day


def test_the_limit_that_is_reached_first_counts() -> None:
    row = forecast({"retention_ms": 100 * _DAY, "retention_bytes": 12 * _GB, "segment_bytes": _GB})
    assert row["more_bytes"] == 3 * _GB


def test_what_is_full_by_retention_grows_no_more() -> None:
    row = forecast({"retention_ms": 10 * _DAY, "segment_bytes": 0}, usable=0)
    assert (row["grows"], row["more_bytes"], row["days"], row["fastest"]) == (0, 0, -1, "")


def test_a_topic_without_a_limit_is_named_before_one_that_grows_faster() -> None:
    row = forecast({}, {"size": 90 * _GB, "retention_ms": 12 * _DAY})
    assert row["fastest"] == "t0"


@pytest.mark.parametrize("change", [{"deletes": False}, {"remote_storage": True}])
def test_what_goes_by_keys_or_to_a_remote_store_is_left_out_and_said(change: dict[str, Any]) -> None:
    row = forecast({}, {"size": 900 * _GB} | change)
    assert row["days"] == 100.0
    assert row["covers"] is None
    assert forecast({"size": 900 * _GB}, {} | change)["covers"] is True
    assert row["left_out"].startswith("the growth of 1 of 2 replicas is not foretold")


@pytest.mark.parametrize(
    "change",
    [{"oldest": "2026-01-10T23:30:00.000Z"}, {"oldest": "1970-01-21T00:00:00.000Z", "retention_ms": _DAY}],
)
def test_young_or_impossible_records_are_left_out_and_where_they_hold_most_nothing_is_known(
    change: dict[str, Any],
) -> None:
    assert forecast({}, {"size": _GB} | change)["days"] == 100.0
    row = forecast({}, {"size": 900 * _GB} | change)
    assert (row["days"], row["grows"], row["more_bytes"]) == (None, None, None)


def test_an_empty_partition_does_not_grow() -> None:
    assert forecast({"records": 0, "oldest": None, "size": 0})["days"] == -1


@pytest.mark.parametrize(
    "name",
    ["deletes", "retention_ms", "segment_bytes", "roll_ms", "remote_storage", "records", "oldest", "retention_bytes"],
)
def test_what_is_not_known_leaves_the_volume_unknown(name: str) -> None:
    assert forecast({}, {name: None})["days"] is None


def test_without_the_room_no_day_is_known() -> None:
    assert forecast({}, usable=None)["days"] is None


def test_directories_of_one_volume_are_one_row_and_one_that_failed_is_none() -> None:
    dirs: list[dict[str, Any]] = [
        {"path": "/a", "error": "", "total_bytes": 500 * _GB, "usable_bytes": 100 * _GB},
        {"path": "/b", "error": "", "total_bytes": 500 * _GB, "usable_bytes": 100 * _GB - 4096},
    ]
    assert forecast({}, dirs=dirs)["days"] == 100.0
    failed: list[dict[str, Any]] = [
        {"path": "/x", "error": "offline", "total_bytes": None, "usable_bytes": None},
        dirs[0],
    ]
    assert forecast({}, dirs=failed)["path"] == "/a"


def test_the_first_to_be_full_is_marked_and_what_is_never_full_is_none() -> None:
    assert forecast({})["first"] is True
    assert forecast({"retention_ms": 15 * _DAY, "segment_bytes": 0})["first"] is False
    assert forecast({}, usable=None)["first"] is False
