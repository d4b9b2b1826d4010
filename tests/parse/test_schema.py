from typing import Any, Literal

import jsonschema
import pytest
from msgspec import Struct

from runbook.model.block import BLOCKS, Check
from runbook.model.errors import Invalid, Problem, did_you_mean
from runbook.model.front_matter import FrontMatter
from runbook.parse.schema import convert, json_schema, mended
from runbook.parse.yaml_document import read_yaml


class Inner(Struct, forbid_unknown_fields=True):
    """Inside."""

    name: str
    size: int = 0


class Outer(Struct, forbid_unknown_fields=True):
    """Outside."""

    inner: Inner
    many: list[Inner] = []
    kind: Literal["one", "two"] = "one"
    either: str | dict[str, int] = ""
    settings: dict[str, Any] = {}


def said(text: str) -> list[str]:
    with pytest.raises(Invalid) as caught:
        convert(read_yaml(text, "f.yaml"), Outer, "thing")
    return [str(problem) for problem in caught.value.problems]


def test_a_document_that_fits_becomes_a_record() -> None:
    made = convert(read_yaml("inner: {name: a}\nkind: two", "f.yaml"), Outer, "thing")
    assert (made.inner.name, made.kind) == ("a", "two")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "inner: {name: a, szie: 3}",
            'f.yaml:1:18  unknown field "szie" in inner\n    did you mean size? known: name, size',
        ),
        ("many: []", 'f.yaml:1:1  thing lacks "inner"\n    add inner: {name: …}'),
        ("inner: {name: a, size: big}", "f.yaml:1:24  inner.size: 'big' should be a whole number"),
        ("inner: {name: a}\nkind: tow", "f.yaml:2:7  kind: 'tow'\n    did you mean two? known: one, two"),
        ("inner: {name: a}\neither: {x: y}", "f.yaml:2:13  either.x: 'y' should be a whole number"),
        ("- 1", "f.yaml:1:1  thing: [1] should be a mapping, as in {name: value}\n    Outside."),
        ("true", "f.yaml:1:1  thing: true should be a mapping, as in {name: value}\n    Outside."),
        (
            "inner: [{name: a, size: 3}]",
            (
                'f.yaml:1:8  inner: [{"name": "a", "size": 3}] should be a mapping, as in {name: …}\n'
                "    no list; each under its name, as in a: …"
            ),
        ),
    ],
)
def test_a_mistake_has_its_place_and_what_to_write_instead(text: str, expected: str) -> None:
    assert said(text) == [expected]


def test_what_lacks_is_told_with_its_meaning_and_a_name_as_it_would_be_right() -> None:
    problems: list[Problem] = []
    document = read_yaml("id: Disk_Is_Full\ntitle: A disk\nfacts: {a: {}}\nexpect: {all: a}\n", "f.yaml")
    block = mended(document, Check, "check", problems)
    assert [(problem.message.partition(" does")[0], problem.remedy) for problem in problems] == [
        ('check lacks "severity"', "add severity: (critical, high, info, low, medium)"),
        ("id: 'Disk_Is_Full'", "lower-case words joined by hyphens, as in disk-is-full"),
        ('facts.a lacks "probe"', "add probe: (its name)"),
    ]
    assert block is not None
    assert block.id == "disk-is-full"  # what is wrong behind it is told of that
    assert ("id",) in document.lost


def test_all_mistakes_come_at_once_in_the_order_of_the_file() -> None:
    found = said("many:\n  - {name: 1}\n  - {nam: a}\nkind: x\ninner: 5")
    assert [line.split("  ")[0] for line in found] == [
        "f.yaml:2:12",
        "f.yaml:3:5",
        "f.yaml:3:6",
        "f.yaml:4:7",
        "f.yaml:5:8",
    ]


def test_a_credential_of_the_wrong_type_is_not_shown() -> None:
    class Settings(Struct):
        password: int

    with pytest.raises(Invalid) as caught:
        convert(read_yaml("password: hunter2hunter2", "f.yaml"), Settings, "settings")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("record", [*BLOCKS.values(), FrontMatter])
def test_the_published_schemas_are_valid_and_take_no_field_that_we_do_not_know(record: Any) -> None:
    schema = json_schema(record)
    jsonschema.Draft202012Validator.check_schema(schema)  # raises
    mistakes = jsonschema.Draft202012Validator(schema).iter_errors({"no-such-field": 1})
    assert any("no-such-field" in mistake.message for mistake in mistakes)


def test_what_may_be_written_is_listed_the_nearest_first() -> None:
    assert did_you_mean("sevrity", ["title", "severity"]) == "did you mean severity? known: severity, title"
    assert did_you_mean("zzz", ["b", "a"]) == "known: a, b"
    assert did_you_mean("x", []) == "nothing may stand here"


def test_a_list_without_the_field_that_holds_it_is_told_that_field() -> None:
    from runbook.run.judgement.case import CaseFile

    problems: list[Problem] = []
    mended(read_yaml("- {name: good, expect: pass}\n", "f.yaml"), CaseFile, "case file", problems)
    assert [problem.remedy for problem in problems] == ["write cases: above the list"]
