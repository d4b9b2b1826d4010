from typing import Any

from runbook.model.fact import Fact, Gap
from runbook.views.record_schema import RecordSchema, compute

CONTRACT = Fact("topic_schema", {"topic": ["orders", "clicks", "plain"], "value": [True, None, False]})
VERSION = Fact("schema_id", {"subject": ["orders-value", "other", "clicks-value"], "id": [3, 3, 4]})


def records(*rows: tuple[str, int, bool, list[str]]) -> Fact:
    return Fact(
        "kafka_record",
        {
            "topic": [topic for topic, *_ in rows],
            "partition": [0 for _ in rows],
            "offset": [*range(len(rows))],
            "value_is_null": [gone for _, _, gone, _ in rows],
            "value_schema": [number for _, number, _, _ in rows],
            "headers": [names for *_, names in rows],
        },
    )


def rows_of(fact: Fact, version: Fact = VERSION, **given: Any) -> list[Any]:
    return [*compute(record=fact, contract=CONTRACT, version=version, **given).rows]


def test_a_record_has_the_subjects_of_its_id():
    assert rows_of(records(("orders", 3, False, []))) == [
        RecordSchema(
            topic="orders", partition=0, offset=0, id=3, in_header=False, known=True, subjects=["orders-value", "other"]
        )
    ]


def test_an_id_of_no_version_and_no_id_at_all_are_not_known():
    rows = rows_of(records(("orders", 9, False, []), ("orders", -1, False, [])))
    assert [row.known for row in rows] == [False, False]


def test_an_id_that_might_be_of_a_version_that_could_not_be_seen_is_left_open():
    version = Fact("schema_version", VERSION.columns, [Gap("no answer")])
    assert [row.known for row in rows_of(records(("orders", 9, False, []), ("orders", 3, False, [])), version)] == [
        None,
        True,
    ]


def test_no_id_at_all_is_that_of_no_version_whatever_could_not_be_seen():
    version = Fact("schema_version", VERSION.columns, [Gap("no answer")])
    assert [row.known for row in rows_of(records(("orders", -1, False, [])), version)] == [False]


def test_a_schema_in_a_header_can_not_be_looked_up():
    [row] = rows_of(records(("orders", -1, False, ["__value_schema_id"])))
    assert (row.id, row.in_header, row.known, row.subjects) == (-1, True, None, [])


def test_tombstones_and_topics_without_a_schema_are_left_out():
    assert rows_of(records(("orders", -1, True, []), ("plain", -1, False, []), ("clicks", -1, False, []))) == []


def test_topics_whose_subjects_do_not_name_them_can_be_named():
    rows = rows_of(records(("plain", -1, False, []), ("clicks", 4, False, [])), governed=["pl*", "clicks"])
    assert [(row.topic, row.known) for row in rows] == [("plain", False), ("clicks", True)]
