"""Schemas come from whoever may register one: whatever the text, there is an answer, and no other error."""

import json
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from schema_compat import KINDS, Parsed, SchemaError, UndecidedSchema, incompatibilities, parse, unreserved
from support.schema_pairs import pairs

_TOKENS = {
    "AVRO": ('"', "{", "}", "[", "]", ",", "null", '"type"', '"record"', "3", '"size":-1', '"symbols"', '""', "1e999"),
    "JSON": ('"', "{", "}", "[", "]", ",", "null", '"$ref":"#"', "3", '"items"', '"pattern":"("', '"$id":"http://[x"'),
    "PROTOBUF": ("{", "}", ";", "=", "1", "message", "oneof", "map<", "reserved", '"', "/*", "extend", "group", "0x1"),
}
_WORDS = (
    *("type", "properties", "required", "items", "enum", "const", "$ref", "allOf", "oneOf", "not", "if", "minimum"),
    *("exclusiveMinimum", "pattern", "format", "patternProperties", "additionalProperties", "dependencies", "$id"),
    *("name", "fields", "symbols", "size", "aliases", "default", "logicalType", "precision", "scale", "namespace"),
)
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 1e308, 10**30, 10**400, "", "string", "record", "#", "#/properties/p1", "(a+)+$"),
    *(
        [],
        {},
        [[]],
        ["null", "int"],
        [{}],
        {"type": "string"},
        {"a": {}},
        {"$ref": "#"},
        {"not": {}},
        [True],
        "decimal",
    ),
)


def garbled(kind: str, text: str, dice: Random) -> str:
    """With some of its characters replaced."""
    for _ in range(dice.randint(1, 3)):
        place = dice.randrange(len(text))
        text = text[:place] + dice.choice(_TOKENS[kind]) + text[place + dice.choice((0, 1, 3, 8)) :]
    return text


def twisted(text: str, dice: Random) -> str:
    """With some of its values replaced, or given to words that they are not for."""
    tree = json.loads(text)
    for _ in range(dice.randint(1, 4)):
        holder, key = dice.choice(list(_places(tree)))
        if isinstance(holder[key], dict) and dice.random() < 0.5:
            holder[key][dice.choice(_WORDS)] = deepcopy(dice.choice(_VALUES))
        else:
            holder[key] = deepcopy(dice.choice(_VALUES))
    return json.dumps(tree)


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in list(inner):
        yield tree, key
        yield from _places(value)


def parsed(kind: str, text: str) -> Parsed | str:
    """The schema, or what is said against it."""
    try:
        return parse(kind, text)
    except SchemaError as error:
        return str(error)


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_the_text_there_is_an_answer_or_it_is_no_schema(kind: str):
    dice, read = Random(4), 0
    for pair in pairs(kind, 60, seed=5):
        known = parse(kind, pair.writer)
        for text in (
            garbled(kind, pair.reader, dice),
            twisted(pair.reader, dice) if kind != "PROTOBUF" else pair.reader,
        ):
            strange = parsed(kind, text)
            if isinstance(strange, str):
                assert len(strange) < 800
                continue
            read += 1
            assert isinstance(strange.problems(), list)
            assert [field for field in strange.fields() if not field.type] == []
            assert unreserved(strange, strange) == []
            for reader, writer in ((strange, known), (known, strange), (strange, strange)):
                try:
                    found = incompatibilities(reader, writer)
                except UndecidedSchema:
                    continue
                assert reader is not writer or found == []
    assert read > 5


def test_a_library_is_loaded_when_a_schema_of_its_kind_is_read():
    output = subprocess.run(
        [sys.executable, "-c", "import sys, schema_compat; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert not {"avro", "antlr4", "proto_schema_parser", "jsonschema", "referencing"} & set(output)


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "schema_compat.avro_schema", None)
    with pytest.raises(
        SchemaError, match=r"^AVRO schemas can't be read: the package .* is missing: pip install 'kafka-"
    ):
        parse("AVRO", '"string"')


@pytest.mark.parametrize(("one", "other"), [("AVRO", "JSON"), ("JSON", "PROTOBUF")])
def test_kinds_do_not_read_each_other(one: str, other: str):
    texts = {"AVRO": '"string"', "JSON": "{}", "PROTOBUF": "message A {}"}
    with pytest.raises(SchemaError, match=f"The reader's schema is {one} and the writer's is {other}"):
        incompatibilities(parse(one, texts[one]), parse(other, texts[other]))
