"""Avro records as people write them, and how they change them."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

Tree = dict[str, Any]

_PLAIN = ("string", "int", "long", "float", "double", "boolean", "bytes")
_DEFAULTS: dict[str, Any] = {
    "string": "",
    "int": 0,
    "long": 0,
    "float": 0.5,
    "double": 0.5,
    "boolean": False,
    "bytes": "",
    "null": None,
}
_LOGICAL = (("long", "timestamp-millis"), ("long", "timestamp-micros"), ("int", "date"), ("string", "uuid"))
_SYMBOLS = ("NEW", "PAID", "SENT", "DONE", "LOST")


def avro_schema(dice: Random) -> Tree:
    """A record of some fields, with a record, an enum, an array or a union among them."""
    count = [0]
    return _record(dice, "Order", count, 2, namespace="shop.orders")


def _name(count: list[int], word: str) -> str:
    count[0] += 1
    return f"{word}{count[0]}"


def _record(dice: Random, name: str, count: list[int], depth: int, **more: Any) -> Tree:
    fields = [_field(dice, count, depth) for _ in range(dice.randint(1, 5))]
    return {"type": "record", "name": name, **more, "fields": fields}


def _field(dice: Random, count: list[int], depth: int) -> Tree:
    made: Tree = {"name": _name(count, "f"), "type": _type(dice, count, depth)}
    if dice.random() < 0.4:
        _give_default(made)
    return made


def _type(dice: Random, count: list[int], depth: int) -> Any:
    kinds = ["plain"] * 5 + ["enum", "array", "map", "fixed", "logical", "decimal", "nullable", "union"]
    kind = dice.choice(kinds + ["record", "record"] * (depth > 0))
    inner = dice.choice(_PLAIN)
    made: dict[str, Callable[[], Any]] = {
        "plain": lambda: inner,
        "enum": lambda: {"type": "enum", "name": _name(count, "E"), "symbols": list(_SYMBOLS[: dice.randint(1, 4)])},
        "array": lambda: {"type": "array", "items": _type(dice, count, depth - 1)},
        "map": lambda: {"type": "map", "values": _type(dice, count, depth - 1)},
        "fixed": lambda: {"type": "fixed", "name": _name(count, "F"), "size": dice.choice((4, 8))},
        "logical": lambda: dict(zip(("type", "logicalType"), dice.choice(_LOGICAL), strict=True)),
        "decimal": lambda: {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": dice.choice((2, 4))},
        "nullable": lambda: ["null", inner],
        "union": lambda: ["null", *dice.sample(_PLAIN, 2)],
        "record": lambda: _record(dice, _name(count, "R"), count, depth - 1),
    }
    return made[kind]()


def _give_default(field: Tree) -> None:
    kind = field["type"][0] if isinstance(field["type"], list) else field["type"]
    if isinstance(kind, dict):
        if kind["type"] in ("array", "map"):
            field["default"] = [] if kind["type"] == "array" else {}
        elif kind["type"] == "enum":
            field["default"] = kind["symbols"][0]
        elif kind["type"] in _DEFAULTS:
            field["default"] = _DEFAULTS[kind["type"]]
    else:
        field["default"] = _DEFAULTS[kind]


def avro_change(dice: Random, tree: Tree) -> tuple[Tree, str]:
    """The schema after a change, and what it was."""
    while True:
        new = deepcopy(tree)
        places = [(record, field) for record in _records(new) for field in record["fields"]]
        change = dice.choice(_CHANGES)
        record, field = dice.choice(places)
        if change(dice, record, field):
            _repair(field)
            return new, change.__name__.strip("_").replace("_", " ")


def _repair(field: Tree) -> None:
    """A default is of the new type, or is gone."""
    if "default" in field:
        del field["default"]
        _give_default(field)


def _records(tree: Any) -> Iterator[Tree]:
    if isinstance(tree, list):
        for node in tree:
            yield from _records(node)
    elif isinstance(tree, dict):
        if tree["type"] == "record":
            yield tree
            for field in tree["fields"]:
                yield from _records(field["type"])
        else:
            yield from _records(tree.get("items") or tree.get("values") or "")


def _add_field(dice: Random, record: Tree, field: Tree) -> bool:
    del field
    record["fields"].insert(dice.randint(0, len(record["fields"])), {"name": "added", "type": dice.choice(_PLAIN)})
    return len([field for field in record["fields"] if field["name"] == "added"]) == 1


def _add_field_with_default(dice: Random, record: Tree, field: Tree) -> bool:
    if any(field["name"] == "added" for field in record["fields"]):
        return False
    _add_field(dice, record, field)
    _give_default(next(field for field in record["fields"] if field["name"] == "added"))
    return True


def _remove_field(dice: Random, record: Tree, field: Tree) -> bool:
    del dice
    if len(record["fields"]) > 1:
        record["fields"].remove(field)
        return True
    return False


def _give_or_take_default(dice: Random, record: Tree, field: Tree) -> bool:
    del dice, record
    if "default" in field:
        del field["default"]
    else:
        _give_default(field)
    return True


def _retype(dice: Random, record: Tree, field: Tree) -> bool:
    del record
    if not isinstance(field["type"], str):
        return False
    field["type"] = dice.choice([kind for kind in _PLAIN if kind != field["type"]])
    return True


def _make_nullable(dice: Random, record: Tree, field: Tree) -> bool:
    del dice, record
    if isinstance(field["type"], list):
        return False
    field["type"] = ["null", field["type"]]
    return True


def _change_union(dice: Random, record: Tree, field: Tree) -> bool:
    del record
    if not isinstance(field["type"], list):
        return False
    missing = [kind for kind in _PLAIN if kind not in field["type"]]
    if len(field["type"]) > 2 and dice.random() < 0.5:
        field["type"].pop()
    else:
        field["type"].append(dice.choice(missing))
    return True


def _change_symbols(dice: Random, record: Tree, field: Tree) -> bool:
    del record
    kind = field["type"]
    if not isinstance(kind, dict) or kind["type"] != "enum":
        return False
    kind.pop("default", None)
    if dice.random() < 0.5:
        kind["symbols"].append("ADDED")
    elif len(kind["symbols"]) > 1:
        kind["symbols"].pop()
    if dice.random() < 0.4:
        kind["default"] = kind["symbols"][0]
    return len(set(kind["symbols"])) == len(kind["symbols"])


def _change_items(dice: Random, record: Tree, field: Tree) -> bool:
    del record
    kind = field["type"]
    if not isinstance(kind, dict) or kind["type"] not in ("array", "map"):
        return False
    kind["items" if kind["type"] == "array" else "values"] = dice.choice(_PLAIN)
    return True


def _change_size(dice: Random, record: Tree, field: Tree) -> bool:
    del dice, record
    kind = field["type"]
    if not isinstance(kind, dict) or kind["type"] != "fixed":
        return False
    kind["size"] += 2
    return True


def _change_scale(dice: Random, record: Tree, field: Tree) -> bool:
    del dice, record
    kind = field["type"]
    if not isinstance(kind, dict) or "scale" not in kind:
        return False
    kind["scale"] += 1
    return True


def _change_logical_type(dice: Random, record: Tree, field: Tree) -> bool:
    del record
    kind = field["type"]
    if not isinstance(kind, dict) or kind.get("logicalType", "decimal") == "decimal":
        return False
    field["type"] = dict(zip(("type", "logicalType"), dice.choice(_LOGICAL), strict=True))
    return True


def _rename_field(dice: Random, record: Tree, field: Tree) -> bool:
    if any(field["name"] == "renamed" for field in record["fields"]):
        return False
    if dice.random() < 0.5:
        field["aliases"] = [field["name"]]
    field["name"] = "renamed"
    return True


def _rename_type(dice: Random, record: Tree, field: Tree) -> bool:
    del field
    if record["name"].startswith("Renamed"):
        return False
    if dice.random() < 0.5:
        record["aliases"] = [f"shop.orders.{record['name']}"]
    record["name"] = f"Renamed{record['name']}"
    return True


def _change_namespace(dice: Random, record: Tree, field: Tree) -> bool:
    del dice, field
    record["namespace"] = "shop.moved"
    return True


def _reorder(dice: Random, record: Tree, field: Tree) -> bool:
    del field
    dice.shuffle(record["fields"])
    return True


def _document(dice: Random, record: Tree, field: Tree) -> bool:
    del dice, record
    field["doc"] = "now with words"
    return True


_CHANGES: tuple[Callable[[Random, Tree, Tree], bool], ...] = (
    _add_field,
    _add_field_with_default,
    _remove_field,
    _give_or_take_default,
    _retype,
    _make_nullable,
    _change_union,
    _change_symbols,
    _change_items,
    _change_size,
    _change_scale,
    _change_logical_type,
    _rename_field,
    _rename_type,
    _change_namespace,
    _reorder,
    _document,
)


def avro_text(tree: Tree) -> str:
    return json.dumps(tree)
