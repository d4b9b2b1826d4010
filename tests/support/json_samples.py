"""Values that are valid for a JSON Schema: evidence that does not come from comparing schemas."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from jsonschema import Draft7Validator

_SCALARS = ("new", "paid", "zzz", "", "b", "abc", "2026-11-22", 0, 1, 2, 3, -7, 51, 1.5, 10**9, True, False, None)


def samples(writer: str, reader: str, dice: Random, count: int) -> Iterator[Any]:
    """Some values that are valid for the writer's schema, with fields of the reader's among them."""
    schema = json.loads(writer)
    names = sorted({*_names(schema), *_names(json.loads(reader)), "unheard"})
    validator = _validator(schema)
    for _ in range(count):
        value = _value(schema, schema, names, dice)
        if validator.is_valid(value):
            yield value


def takes(reader: str, value: Any) -> bool:
    """Whether a value is valid for the reader's schema, too."""
    return _validator(json.loads(reader)).is_valid(value)


def _validator(schema: Any) -> Draft7Validator:
    """Looks at formats as well, as a reader may."""
    return Draft7Validator(schema, format_checker=Draft7Validator.FORMAT_CHECKER)


def _names(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for inner in schema.values():
            yield from _names(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _names(inner)


def _value(schema: Any, root: Any, names: list[str], dice: Random) -> Any:
    if not isinstance(schema, dict) or dice.random() < 0.02:
        return dice.choice((*_SCALARS, [], {}))
    if "$ref" in schema:
        return _value(root["definitions"]["Moved"], root, names, dice)
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else dice.choice(schema["enum"])
    if branches := schema.get("oneOf") or schema.get("anyOf"):
        return _value(dice.choice(branches), root, names, dice)
    return _typed(schema, root, names, dice)


def _typed(schema: Any, root: Any, names: list[str], dice: Random) -> Any:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = dice.choice(kind)
    if kind == "object":
        return _object(schema, root, names, dice)
    if kind == "array":
        length = dice.choice((schema.get("minItems", 0), schema.get("maxItems", 3), 0, 1, 2))
        return [_value(schema.get("items"), root, names, dice) for _ in range(min(length, 60))]
    fitting = [scalar for scalar in _SCALARS if _is(kind, scalar)]
    if kind == "string":
        fitting += ["a" * schema.get("minLength", 0), "a" * min(schema.get("maxLength", 70), 70)]
    if kind in ("integer", "number"):
        fitting += [schema[word] for word in ("minimum", "maximum", "multipleOf") if word in schema]
        fitting += [schema["exclusiveMinimum"] + 1] if "exclusiveMinimum" in schema else []
    return dice.choice(fitting or list(_SCALARS))


def _object(schema: Any, root: Any, names: list[str], dice: Random) -> dict[str, Any]:
    known, needed = schema.get("properties", {}), schema.get("required", [])
    often = dice.choice((0.2, 0.6, 1.0))
    made = {
        name: _value(known.get(name), root, names, dice)
        for name in dict.fromkeys((*known, *needed))
        if name in needed or dice.random() < often
    }
    others = schema.get("additionalProperties", True)
    if others is not False and dice.random() < 0.6:
        name = dice.choice(names)
        made.setdefault(name, _value(others, root, names, dice))
    return made


def _is(kind: Any, value: Any) -> bool:
    return Draft7Validator({"type": kind}).is_valid(value) if kind else True
