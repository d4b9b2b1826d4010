"""JSON Schemas of objects as people write them, and how they change them."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

Tree = dict[str, Any]

_PLAIN = ("string", "integer", "number", "boolean")
_WORDS = ("new", "paid", "sent", "done")


def json_schema(dice: Random) -> Tree:
    """An object of some properties, with inner objects, arrays, enums and branches among them."""
    root = _object(dice, 2)
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": "Order", **root}


def _object(dice: Random, depth: int) -> Tree:
    names = [f"p{number}" for number in range(1, dice.randint(2, 5))]
    made: Tree = {"type": "object", "properties": {name: _value(dice, depth) for name in names}}
    if wanted := [name for name in names if dice.random() < 0.4]:
        made["required"] = wanted
    open_ = dice.choice((None, None, False, False, True, {"type": "string"}))
    if open_ is not None:
        made["additionalProperties"] = open_
    return made


def _value(dice: Random, depth: int) -> Tree:
    kinds = ["plain"] * 6 + ["text", "number", "enum", "const", "array", "nullable", "oneOf", "anyOf", "any"]
    kind = dice.choice(kinds + ["object"] * 2 * (depth > 0))
    made: dict[str, Callable[[], Tree]] = {
        "plain": lambda: {"type": dice.choice(_PLAIN)},
        "text": lambda: {"type": "string", **_some(dice, minLength=1, maxLength=20, pattern="^[a-z]*$", format="date")},
        "number": lambda: {
            "type": dice.choice(("integer", "number")),
            **_some(dice, minimum=0, maximum=100, exclusiveMinimum=1, multipleOf=2),
        },
        "enum": lambda: {"type": "string", "enum": list(_WORDS[: dice.randint(1, 4)])},
        "const": lambda: {"const": dice.choice(_WORDS)},
        "array": lambda: {
            "type": "array",
            "items": _value(dice, depth - 1),
            **_some(dice, minItems=1, maxItems=10, uniqueItems=True),
        },
        "nullable": lambda: {"type": [dice.choice(_PLAIN), "null"]},
        "oneOf": lambda: {
            "oneOf": [{"type": kind} for kind in dice.sample(("string", "integer", "boolean", "null"), 2)]
        },
        "anyOf": lambda: {"anyOf": [{"type": kind} for kind in dice.sample(("string", "number", "null"), 2)]},
        "any": dict,
        "object": lambda: _object(dice, depth - 1),
    }
    return made[kind]()


def _some(dice: Random, **keywords: Any) -> Tree:
    return {name: value for name, value in keywords.items() if dice.random() < 0.4}


def json_change(dice: Random, tree: Tree) -> tuple[Tree, str]:
    """The schema after a change, and what it was."""
    while True:
        new = deepcopy(tree)
        objects = list(_objects(new))
        change = dice.choice(_CHANGES)
        schema = dice.choice(objects)
        names = list(schema["properties"]) or [""]
        if (names != [""] or change is _add_property) and change(dice, schema, dice.choice(names)):
            return new, change.__name__.strip("_").replace("_", " ")


def _objects(tree: Any) -> Iterator[Tree]:
    if isinstance(tree, dict):
        if "properties" in tree:
            yield tree
            for property_ in tree["properties"].values():
                yield from _objects(property_)
        yield from _objects(tree.get("items"))


def _add_property(dice: Random, schema: Tree, name: str) -> bool:
    del name
    schema["properties"]["added"] = _value(dice, 0)
    return True


def _add_required_property(dice: Random, schema: Tree, name: str) -> bool:
    _add_property(dice, schema, name)
    schema["required"] = [*schema.get("required", []), "added"]
    return bool(schema["required"].count("added") == 1)


def _remove_property(dice: Random, schema: Tree, name: str) -> bool:
    del dice
    del schema["properties"][name]
    schema["required"] = [other for other in schema.get("required", []) if other != name]
    return True


def _require_or_not(dice: Random, schema: Tree, name: str) -> bool:
    del dice
    names = schema.get("required", [])
    schema["required"] = [other for other in names if other != name] if name in names else [*names, name]
    return True


def _open_or_close(dice: Random, schema: Tree, name: str) -> bool:
    del name
    now = schema.pop("additionalProperties", None)
    new = dice.choice([value for value in (True, False, {"type": "string"}, {"type": "integer"}) if value != now])
    schema["additionalProperties"] = new
    return True


def _retype(dice: Random, schema: Tree, name: str) -> bool:
    schema["properties"][name] = _value(dice, 0)
    return True


def _take_null_too(dice: Random, schema: Tree, name: str) -> bool:
    del dice
    value = schema["properties"][name]
    if not isinstance(value.get("type"), str) or "enum" in value:
        return False
    value["type"] = [value["type"], "null"]
    return True


def _take_numbers_too(dice: Random, schema: Tree, name: str) -> bool:
    del dice
    if schema["properties"][name].get("type") != "integer":
        return False
    schema["properties"][name]["type"] = "number"
    return True


def _change_enum(dice: Random, schema: Tree, name: str) -> bool:
    value = schema["properties"][name]
    if "enum" not in value:
        return False
    if dice.random() < 0.5:
        value["enum"].append("added")
    elif len(value["enum"]) > 1:
        value["enum"].pop()
    return len(set(value["enum"])) == len(value["enum"])


def _bound(dice: Random, schema: Tree, name: str) -> bool:
    value = schema["properties"][name]
    kinds: dict[str, tuple[str, ...]] = {
        "string": ("minLength", "maxLength"),
        "integer": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        "number": ("minimum", "maximum", "multipleOf"),
        "array": ("minItems", "maxItems"),
        "object": ("minProperties", "maxProperties"),
    }
    if not isinstance(value.get("type"), str) or value["type"] not in kinds or "enum" in value:
        return False
    keyword = dice.choice(kinds[value["type"]])
    if keyword in value and dice.random() < 0.4:
        del value[keyword]
    else:
        value[keyword] = dice.choice((1, 2, 3, 4, 50))
    return True


def _change_text(dice: Random, schema: Tree, name: str) -> bool:
    value = schema["properties"][name]
    if value.get("type") != "string" or "enum" in value:
        return False
    keyword, choice = dice.choice((("pattern", ("^a", "b$")), ("format", ("date", "email"))))
    if keyword in value and dice.random() < 0.5:
        del value[keyword]
    else:
        value[keyword] = dice.choice(choice)
    return True


def _repeat_items_or_not(dice: Random, schema: Tree, name: str) -> bool:
    del dice
    value = schema["properties"][name]
    if value.get("type") != "array":
        return False
    value["uniqueItems"] = not value.get("uniqueItems", False)
    return True


def _change_items(dice: Random, schema: Tree, name: str) -> bool:
    value = schema["properties"][name]
    if value.get("type") != "array":
        return False
    value["items"] = _value(dice, 0)
    return True


def _change_branches(dice: Random, schema: Tree, name: str) -> bool:
    value = schema["properties"][name]
    branches = value.get("oneOf") or value.get("anyOf")
    if not branches:
        return False
    if len(branches) > 1 and dice.random() < 0.5:
        branches.pop()
    else:
        missing = [kind for kind in ("array", "object") if {"type": kind} not in branches]
        branches += [{"type": missing[0]}] if missing else []
    return True


def _define_and_refer(dice: Random, schema: Tree, name: str) -> bool:
    del dice
    if "$schema" not in schema or "definitions" in schema:
        return False
    schema["definitions"] = {"Moved": schema["properties"][name]}
    schema["properties"][name] = {"$ref": "#/definitions/Moved"}
    return True


def _describe(dice: Random, schema: Tree, name: str) -> bool:
    del dice
    if "$ref" in schema["properties"][name]:
        return False
    schema["properties"][name]["description"] = "now with words"
    return True


_CHANGES: tuple[Callable[[Random, Tree, str], bool], ...] = (
    _add_property,
    _add_property,
    _add_required_property,
    _remove_property,
    _remove_property,
    _require_or_not,
    _open_or_close,
    _open_or_close,
    _retype,
    _take_null_too,
    _take_numbers_too,
    _change_enum,
    _bound,
    _bound,
    _change_text,
    _repeat_items_or_not,
    _change_items,
    _change_branches,
    _define_and_refer,
    _describe,
)


def json_text(tree: Tree) -> str:
    return json.dumps(tree)
