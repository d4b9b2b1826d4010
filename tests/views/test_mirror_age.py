from typing import Any

import pytest

from runbook.model.fact import Gap
from runbook.views import mirror_age
from support.mirror_facts import HIDDEN, fact_of, seen


def reach(topic: str, records: int | None = 5, newest: str | None = None) -> dict[str, Any]:
    when = f"2026-11-22T12:00:{newest}.000Z" if newest else None
    return {"topic": topic, "partition": 0, "begin": 0, "end": records, "records": records, "newest": when}


def age(
    source: dict[str, Any], *target: dict[str, Any], gaps: tuple[Gap, ...] = (), stamp: str | None = "CreateTime"
) -> dict[str, Any]:
    here, there = fact_of("kafka_partition_offset", [source]), fact_of("kafka_partition_offset", target, gaps)
    stamps = fact_of("kafka_topic", [{"name": row["topic"], "timestamp_type": stamp} for row in target])
    [row] = seen(mirror_age, source=here, target=there, topic=stamps, prefix="eu.", promises=["orders=30"])
    return row


def test_what_was_written_after_the_mirrors_newest_record_is_missing() -> None:
    row = age(reach("orders", newest="50"), reach("eu.orders", newest="08"))
    assert (row["behind"], row["promised"], row["mirror"], row["present"]) == (42, 30, "eu.orders", True)


@pytest.mark.parametrize("newest", ["50", "55"])
def test_a_mirror_with_the_newest_record_is_not_behind(newest: str) -> None:
    assert age(reach("orders", newest="50"), reach("eu.orders", newest=newest))["behind"] == 0


def test_where_nothing_was_written_nothing_is_missing() -> None:
    assert age(reach("orders", records=0), reach("eu.orders", records=0))["behind"] == 0


@pytest.mark.parametrize("records", [0, None])
def test_how_far_an_empty_mirror_is_behind_nobody_knows(records: int | None) -> None:
    assert age(reach("orders", newest="50"), reach("eu.orders", records=records))["behind"] is None


def test_a_mirror_that_is_not_there_is_behind_by_as_much_as_nobody_knows() -> None:
    row = age(reach("orders", newest="50"), reach("orders", newest="50"))
    assert (row["present"], row["behind"], row["records"]) == (False, None, None)
    assert age(reach("orders", newest="50"), gaps=HIDDEN)["present"] is None


def test_the_source_may_hide_its_times() -> None:
    assert age(reach("orders", records=None), reach("eu.orders", newest="08"))["behind"] is None


@pytest.mark.parametrize("stamp", ["LogAppendTime", None])
def test_where_records_have_the_time_of_their_arrival_nothing_is_known(stamp: str | None) -> None:
    row = age(reach("orders", newest="50"), reach("eu.orders", newest="55"), stamp=stamp)
    assert (row["behind"], row["timestamp_type"]) == (None, stamp)


def test_a_record_from_the_future_hides_what_is_written_after_it() -> None:
    ahead = reach("orders") | {"newest": "2026-11-22T12:02:01.000Z"}
    assert age(ahead, reach("eu.orders") | {"newest": ahead["newest"]})["behind"] is None
    near = reach("orders") | {"newest": "2026-11-22T12:01:59.000Z"}
    assert age(near, reach("eu.orders") | {"newest": near["newest"]})["behind"] == 0


@pytest.mark.parametrize(("promises", "reasons"), [(["*=30"], ["eu.orders: message.timestamp.type"]), ([], [])])
def test_a_promise_that_times_cannot_show_to_be_kept_has_a_reason(promises: list[str], reasons: list[str]) -> None:
    source, target = (fact_of("kafka_partition_offset", [reach(name, newest="50")]) for name in ("orders", "eu.orders"))
    stamps = fact_of("kafka_topic", [{"name": "eu.orders", "timestamp_type": "LogAppendTime"}])
    gaps = mirror_age.compute(source=source, target=target, topic=stamps, prefix="eu.", promises=promises).gaps
    assert [gap.reason.partition("=")[0] for gap in gaps] == reasons


def test_times_do_not_matter_where_nothing_was_written() -> None:
    assert age(reach("orders", records=0), reach("eu.orders", records=0), stamp="LogAppendTime")["behind"] == 0
