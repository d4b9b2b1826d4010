from typing import Any

import pytest
from msgspec.structs import astuple

from runbook.model.fact import tabulate
from runbook.views.schema_evolution import VIEW, compute
from support.schema_facts import avro, subjects, versions

ID = ("id", "long")
PLAIN = avro(ID)
WITH_DEFAULT = avro(ID, ("x", "int", 0))
WITHOUT_DEFAULT = avro(ID, ("x", "int"))


def evolution(level: str | None, *history: Any) -> list[dict[str, Any]]:
    found = compute(version=versions({"a": [*history]}), subject=subjects({"a": level}))
    return list(tabulate("schema_evolution", VIEW.columns, found).rows())


@pytest.mark.parametrize(
    ("level", "old", "new", "fits"),
    [
        ("BACKWARD", PLAIN, WITH_DEFAULT, True),
        ("BACKWARD", PLAIN, WITHOUT_DEFAULT, False),
        ("BACKWARD", WITHOUT_DEFAULT, PLAIN, True),
        ("FORWARD", PLAIN, WITHOUT_DEFAULT, True),
        ("FORWARD", WITHOUT_DEFAULT, PLAIN, False),
        ("FORWARD", WITH_DEFAULT, PLAIN, True),
        ("FULL", PLAIN, WITH_DEFAULT, True),
        ("FULL", PLAIN, WITHOUT_DEFAULT, False),
        ("FULL", WITHOUT_DEFAULT, PLAIN, False),
        ("NONE", PLAIN, WITHOUT_DEFAULT, True),
    ],
)
def test_each_level_allows_what_it_promises(level: str, old: str, new: str, *, fits: bool):
    [row] = evolution(level, old, new)
    assert (row["breaks"] == []) == fits


@pytest.mark.parametrize(("level", "fits"), [("BACKWARD", True), ("BACKWARD_TRANSITIVE", False)])
def test_only_transitive_levels_look_beyond_the_version_before(level: str, *, fits: bool):
    gone_and_back = [avro(ID, ("x", "string", "")), avro(ID), avro(ID, ("x", "int", 0))]
    assert (evolution(level, *gone_and_back)[-1]["breaks"] == []) == fits
    assert evolution(level, *gone_and_back)[-1]["unreadable"] == [1]


def test_it_says_whom_a_version_strands_and_why():
    [row] = evolution("BACKWARD", WITHOUT_DEFAULT, PLAIN)
    assert (row["unreadable"], row["stranded"]) == ([], [1])
    [why] = row["why_stranded"]
    assert "x" in why


def test_it_says_what_changed():
    [row] = evolution("NONE", avro(ID, ("x", "int")), avro(("id", "string"), ("y", "int")))
    assert (row["added"], row["removed"], row["retyped"]) == (["y"], ["x"], ["id: string, before: long"])


def test_a_subject_that_changes_its_type_of_schema_strands_everybody():
    [row] = evolution("FULL", PLAIN, ("JSON", '{"type": "object"}', {}))
    assert (row["unreadable"], row["stranded"]) == ([1], [1])
    assert len(row["breaks"]) == 2


def test_the_first_version_has_nothing_to_fit_to():
    assert evolution("FULL", PLAIN) == []


def test_what_can_not_be_read_is_not_known_and_says_why():
    found = compute(version=versions({"a": [PLAIN, "{"]}), subject=subjects({"a": "FULL"}))
    [row] = found.rows
    assert set(astuple(row)[4:]) == {None}
    [gap] = found.gaps
    assert gap.reason.startswith("version 2 of subject a: ")
    assert gap.keys == {"subject": "a"}


def test_without_the_level_nothing_is_allowed_or_forbidden_but_who_is_stranded_is_known():
    [row] = evolution(None, PLAIN, WITHOUT_DEFAULT)
    assert row["breaks"] is None
    assert row["unreadable"] == [1]


def test_a_reference_is_read_along_and_one_that_is_missing_is_told():
    item = avro(("n", "int"), name="Item")
    order = ("AVRO", avro(ID, ("item", "shop.Item")), {"shop.Item": "item/1"})
    both = versions({"item": [item], "a": [order, order]})
    assert compute(version=both, subject=subjects({"a": "FULL", "item": "FULL"})).rows[0].breaks == []
    [gap] = compute(version=versions({"a": [order, order]}), subject=subjects({"a": "FULL"})).gaps
    assert "shop.Item is item/1, which the registry does not have" in gap.reason


def test_schemas_that_refer_to_each_other_come_to_an_end():
    one = ("AVRO", avro(("b", "shop.B"), name="A"), {"shop.B": "b/1"})
    other = ("AVRO", avro(("a", "shop.A"), name="B"), {"shop.A": "a/1"})
    made = compute(version=versions({"a": [one, one], "b": [other]}), subject=subjects({"a": "FULL", "b": "FULL"}))
    assert len(made.rows) == 1
