from typing import Any

import pytest

from runbook.model.fact import Fact, Gap
from runbook.views.retry_due import compute

NAMES = ["next-try", "retry_topic-backoff-timestamp"]


def record(header: dict[str, str], offset: int = 5, names: list[str] | None = None) -> Fact:
    columns: dict[str, list[Any]] = {"topic": ["a-retry"], "partition": [0], "offset": [offset]}
    return Fact("kafka_record", columns | {"headers": [names or [*header]], "header": [header]})


def offsets(*committed: int | None) -> Fact:
    columns: dict[str, list[Any]] = {"topic": ["a-retry"] * len(committed), "partition": [0] * len(committed)}
    return Fact("kafka_group_offset", columns | {"committed": [*committed]})


def retry_of(fact: Fact, offset: Fact) -> tuple[Any, ...]:
    [row] = compute(record=fact, offset=offset, headers=NAMES).rows
    return row.named, row.due, row.waiting


@pytest.mark.parametrize(
    "written",
    [
        {"next-try": "2026-11-22T03:04:05Z"},
        {"next-try": "2026-11-22T04:04:05+01:00"},
        {"next-try": "2026-11-22 03:04:05"},
        {"next-try": "1795316645"},
        {"retry_topic-backoff-timestamp": "1795316645000"},
        {"next-try": "soon", "retry_topic-backoff-timestamp": "1795316645000"},
    ],
)
def test_a_time_is_read_however_it_is_written(written: dict[str, str]):
    named, due, _ = retry_of(record(written), offsets(9))
    assert (named, due[:19]) == (True, "2026-11-22T03:04:05")


@pytest.mark.parametrize("text", ["", "soon", "9" * 30])
def test_a_header_that_holds_no_time_is_there_and_not_known(text: str):
    assert retry_of(record({"next-try": text}), offsets(9)) == (True, None, False)


def test_a_header_whose_value_is_not_told_is_there_all_the_same():
    assert retry_of(record({}, names=["next-try"]), offsets(9)) == (True, None, False)


def test_a_record_without_such_a_header_does_not_say():
    assert retry_of(record({}, names=["other"]), offsets(9)) == (False, None, False)


def test_a_record_waits_for_the_group_that_is_the_furthest_behind():
    assert [retry_of(record({}, offset), offsets(9, 5))[2] for offset in (4, 5, 8)] == [False, True, True]


def test_a_record_that_no_group_reads_waits_unless_a_group_could_not_be_seen():
    assert retry_of(record({}), offsets())[2] is True
    assert retry_of(record({}), Fact("kafka_group_offset", offsets().columns, [Gap("hidden")]))[2] is None
