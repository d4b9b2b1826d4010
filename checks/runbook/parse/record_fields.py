"""The fields of a record, for people: names and types from the code, meanings from its docstring."""

import inspect
import re
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

from msgspec import Struct

from runbook.parse.schema import json_schema


class RecordField(Struct, frozen=True):
    """A field of a record.

    Attributes:
        name: as it is written.
        type: in a few words.
        words: those that may stand there, where they are few.
        pattern: of its text, a regular expression.
        must: whether it has to be there.
        help: what it means.
    """

    name: str
    type: str
    must: bool
    help: str
    words: tuple[str, ...] = ()
    pattern: str = ""


def record_fields(record: Any) -> list[RecordField]:
    """Its fields, in their order."""
    definition = json_schema(record)["$defs"][record.__name__]
    explained = attributes(record)
    called = dict(zip(record.__struct_encode_fields__, record.__struct_fields__, strict=True))
    required = definition.get("required", ())
    return [
        RecordField(
            name=name,
            type=_type(field),
            must=name in required,
            help=explained.get(called[name]) or explained.get(name) or field.get("description", ""),
            words=tuple(_found(field, "enum")),
            pattern="".join(_found(field, "pattern")),
        )
        for name, field in definition["properties"].items()
    ]


def parts(record: Any) -> list[Any]:
    """The records that stand in its fields, in their order."""
    return list(dict.fromkeys(part for hint in get_type_hints(record).values() for part in _records(hint)))


def _records(hint: Any) -> Iterator[Any]:
    if inspect.isclass(hint) and issubclass(hint, Struct):
        yield hint
    for inside in get_args(hint):
        yield from _records(inside)


def meaning(record: Any, part: str, name: str) -> str:
    """What a field means that a record has, or a part of it: the words that may stand there, else its help; or ""."""
    waiting, seen = [record], set[Any]()
    while waiting:
        one = waiting.pop(0)
        if one in seen or not (inspect.isclass(one) and issubclass(one, Struct)):
            continue
        seen.add(one)
        if one.__name__ == part:
            found = next((field for field in record_fields(one) if field.name == name), None)
            return (", ".join(found.words) or found.help.rstrip(".")) if found else ""
        waiting += parts(one)
    return ""


def summary(record: Any) -> str:
    """What a record is, in one sentence."""
    return (inspect.getdoc(record) or "").partition("\n")[0]


def attributes(record: Any) -> dict[str, str]:
    """What the docstring of a record says of its attributes."""
    _, _, section = (inspect.getdoc(record) or "").partition("Attributes:\n")
    found: dict[str, str] = {}
    names: list[str] = []
    for line in section.splitlines():
        if not line.strip():
            break
        start = re.match(r"    ((?:\w+, )*\w+): (.*)", line)
        if start:
            names = start[1].split(", ")
            found |= dict.fromkeys(names, start[2])
        else:
            found |= {name: f"{found[name]} {line.strip()}" for name in names}
    return found


def _type(field: dict[str, Any]) -> str:
    """A JSON Schema type in a few words."""
    match field:
        case {"$ref": reference}:
            return str(reference).rpartition("/")[2]
        case {"anyOf": parts}:
            return " or ".join(_type(part) for part in parts if part.get("type") != "null")
        case {"type": "array"}:
            return f"list of {_type(field.get('items', {}))}"
        case {"type": "object"}:
            inner = field.get("additionalProperties")
            return f"map of {_type(inner)}" if isinstance(inner, dict) and inner else "map"
        case {"enum": _}:
            return "string"
    return str(field.get("type", "any"))


def _found(field: dict[str, Any], key: str) -> list[str]:
    """What a field's schema, or that of the values it holds, says under a key: the first that says it."""
    match field.get(key):
        case None:
            inside = [*field.get("anyOf", ()), field.get("items"), field.get("additionalProperties")]
            found = (_found(item, key) for item in inside if isinstance(item, dict))
            return next(filter(None, found), [])
        case list(words):
            return [str(word) for word in words]
        case word:
            return [str(word)]
