"""A record is missed when it is older than promised: 60 s before 12:01:00, when the facts of these tests are of."""

from typing import Any

import pytest

from runbook.model.fact import Fact, Gap
from runbook.views import mirror_age, mirror_overdue
from support.mirror_facts import HIDDEN, fact_of, seen

PROMISED = 60
YOUNG, MIRRORED = "12:00:59", "11:31:00"
TARGET = fact_of("kafka_partition_offset", [])


def at(time: str | None) -> str | None:
    return f"2026-11-22T{time}.000Z" if time else None


def age(newest: str | None = MIRRORED, source: str | None = YOUNG, **cells: Any) -> Fact:
    """What mirror_age tells of a partition whose newest records are of these times."""
    behind = None
    if newest and source:
        hour, minute, second = (int(a) - int(b) for a, b in zip(source.split(":"), newest.split(":"), strict=True))
        behind = hour * 3600 + minute * 60 + second
    row = {
        "topic": "orders",
        "partition": 0,
        "mirror": "eu.orders",
        "present": True,
        "end": 7,
        "source_records": 5,
        "source_newest": at(source),
        "newest": at(newest),
        "behind": behind,
        "promised": PROMISED,
    }
    row |= cells
    return Fact("mirror_age", {c.name: [row.get(c.name)] for c in mirror_age.VIEW.columns})


def aged(written: str | None, **cells: Any) -> Fact:
    """The source's newest record that is at least as old as promised."""
    row = {"topic": "orders", "partition": 0, "seconds": PROMISED, "offset": 3 if written else -1}
    return fact_of("kafka_record_of_age", [row | {"written": at(written)} | cells])


NOBODY = fact_of("kafka_record_of_age", [], [Gap("nobody tells")])


def late(age: Fact, aged: Fact = NOBODY, target: Fact = TARGET) -> tuple[bool | None, str | None]:
    [row] = seen(mirror_overdue, age=age, target=target, aged=aged)
    return row["overdue"], row["missing"]


def test_a_young_record_that_is_missing_breaks_no_promise_however_long_nothing_was_written_before_it() -> None:
    assert late(age(), aged(MIRRORED)) == (False, None)
    assert late(age(), aged(None)) == (False, None)


def test_a_record_older_than_promised_that_is_missing_breaks_it() -> None:
    assert late(age(), aged("11:59:58")) == (True, at("11:59:58"))


def test_who_has_what_is_older_than_promised_keeps_it_though_younger_ones_are_many() -> None:
    assert late(age("11:59:58"), aged("11:59:58")) == (False, None)


@pytest.mark.parametrize(("source", "overdue"), [("11:59:59", True), ("12:00:01", None)])
def test_the_sources_newest_record_proves_it_alone_once_it_is_older_than_promised(
    source: str, *, overdue: bool | None
) -> None:
    assert late(age(source=source))[0] is overdue


def test_a_mirror_that_is_behind_by_no_more_than_promised_is_in_time_whatever_else_is_known() -> None:
    assert late(age("11:30:00", "11:31:00")) == (False, None)
    assert mirror_overdue.compute(age=age("11:30:00", "11:31:00"), target=TARGET, aged=NOBODY).gaps == []


def test_what_is_not_known_is_a_gap_where_the_answer_hangs_on_it() -> None:
    assert mirror_overdue.compute(age=age(), target=TARGET, aged=NOBODY).gaps == NOBODY.gaps
    assert late(age(), aged(None, offset=None)) == (None, None)


def test_a_record_of_another_age_proves_nothing() -> None:
    assert late(age(), aged("11:59:58", seconds=10)) == (None, None)


def test_the_target_was_looked_at_when_its_probe_began() -> None:
    slow = Fact(TARGET.source, TARGET.columns, [], collected_at="2026-11-22T12:01:00.000Z", took_ms=3000)
    assert late(age(source="11:59:58"), target=slow)[0] is None
    assert late(age(source="11:59:56"), target=slow)[0] is True


@pytest.mark.parametrize(("took", "seconds"), [(0, 62), (400, 62), (1000, 61)])
def test_how_old_it_was_then_is_told_and_never_as_no_more_than_promised(took: int, seconds: int) -> None:
    asked = Fact(TARGET.source, TARGET.columns, [], collected_at="2026-11-22T12:01:00.000Z", took_ms=took)
    [row] = seen(mirror_overdue, age=age(), target=asked, aged=aged("11:59:58"))
    assert row["age"] == seconds
    assert seen(mirror_overdue, age=age(), target=asked, aged=aged(MIRRORED))[0]["age"] is None


@pytest.mark.parametrize(("written", "overdue"), [("11:31:05", False), ("11:31:06", True)])
def test_what_ends_a_transaction_is_never_copied_and_not_missed(written: str, *, overdue: bool) -> None:
    assert late(age(), aged(written))[0] is overdue


def test_a_promise_shorter_than_transactions_take_is_kept_to() -> None:
    quick = age(promised=2)
    assert late(quick, aged("11:31:03", seconds=2))[0] is True
    assert late(quick, aged("11:31:02", seconds=2))[0] is False


def test_a_mirror_that_was_never_written_to_lacks_all_and_nothing_old_where_nothing_is() -> None:
    """As of a topic that is a minute young: its first records are there before those of its mirror."""
    new = {"end": 0, "newest": None, "behind": None}
    assert late(age(**new), aged(None)) == (False, None)
    assert late(age(**new), aged("11:31:00")) == (True, at("11:31:00"))
    assert late(age(source="11:31:00", **new)) == (True, at("11:31:00"))
    assert late(age(**new)) == (None, None)
    assert late(age(**new), aged(None, offset=None)) == (None, None)
    assert late(age(**new), aged(None, seconds=10)) == (None, None)
    assert late(age(**new, promised=None), aged(None)) == (None, None)
    assert late(age(**new | {"end": 9}), aged(None)) == (None, None)  # its records are gone: who knows since when


def test_of_a_mirror_that_is_not_there_all_is_missing() -> None:
    gone = {"present": False, "newest": None, "behind": None}
    assert late(age(source="11:31:00", **gone)) == (True, at("11:31:00"))
    assert late(age(**gone), aged("11:31:00")) == (True, at("11:31:00"))
    assert late(age(**gone), aged(None)) == (None, None)
    assert late(age(source="11:31:00", **gone, source_records=None)) == (None, None)
    assert late(age(source="11:31:00", **gone | {"behind": 0}, source_records=0)) == (False, None)


@pytest.mark.parametrize(
    "cells", [{"promised": None}, {"behind": None}, {"present": None, "newest": None, "behind": None}]
)
def test_without_promise_mirror_or_time_nothing_is_known(cells: dict[str, Any]) -> None:
    assert late(age(source="11:59:00", **cells), aged("11:59:00")) == (None, None)


def test_a_target_that_was_not_asked_tells_nothing() -> None:
    silent = Fact(TARGET.source, TARGET.columns, [*HIDDEN])
    assert late(age(source="11:59:00"), aged("11:59:00"), silent) == (None, None)
