"""Protobuf files as people write them, and how they change them."""

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

Tree = dict[str, Any]

_PLAIN = (
    *("string", "bytes", "bool", "int32", "int64", "uint32", "uint64", "sint32", "sint64"),
    *("fixed32", "fixed64", "sfixed32", "sfixed64", "float", "double"),
)


def protobuf_schema(dice: Random) -> Tree:
    """A file of a message with an inner one and an enum, and a second message."""
    first, second = _message(dice, "Order", dice.randint(2, 6)), _message(dice, "Payment", dice.randint(1, 3))
    inner = _message(dice, "Item", dice.randint(1, 3))
    first["inner"] = [inner]
    first["enums"] = [{"name": "State", "values": [["STATE_UNSPECIFIED", 0], ["STATE_NEW", 1], ["STATE_PAID", 2]]}]
    kinds = (("Item", ""), ("State", ""), ("Item", "repeated"), ("Payment", ""))
    for place, (kind, label) in enumerate(kinds):
        if dice.random() < 0.6:
            first["fields"].append(_field(f"of{place}", 20 + place, kind, label))
    if dice.random() < 0.5:
        field = _field("by_name", 30, dice.choice(("string", "int32", "Item")), "")
        field["key"] = dice.choice(("string", "int32"))
        first["fields"].append(field)
    if dice.random() < 0.5:
        for place in range(2):
            field = _field(f"choice{place}", 40 + place, dice.choice(_PLAIN), "")
            field["oneof"] = "choice"
            first["fields"].append(field)
    return {"package": "shop.v1", "messages": [first, second]}


def _message(dice: Random, name: str, count: int) -> Tree:
    labels = ("", "", "", "repeated", "optional")
    fields = [_field(f"f{n}", n, dice.choice(_PLAIN), dice.choice(labels)) for n in range(1, count + 1)]
    return {"name": name, "fields": fields, "reserved": [], "inner": [], "enums": []}


def _field(name: str, number: int, kind: str, label: str) -> Tree:
    return {"name": name, "number": number, "type": kind, "label": label, "key": "", "oneof": ""}


def protobuf_change(dice: Random, tree: Tree) -> tuple[Tree, str]:
    """The file after a change, and what it was."""
    while True:
        new = deepcopy(tree)
        messages = [message for top in new["messages"] for message in (top, *top["inner"])]
        change = dice.choice(_CHANGES)
        message = dice.choice(messages)
        if message["fields"] and change(dice, new, message, dice.choice(message["fields"])):
            return new, change.__name__.strip("_").replace("_", " ")


def _free(message: Tree) -> int:
    taken = {field["number"] for field in message["fields"]} | {n for n, _ in message["reserved"]}
    return max(taken, default=0) + 1


def _add_field(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    del tree, field
    if any(field["name"] == "added" for field in message["fields"]):
        return False
    message["fields"].append(_field("added", _free(message), dice.choice(_PLAIN), dice.choice(("", "repeated"))))
    return True


def _remove_field(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    del dice, tree
    if field["oneof"]:
        return False
    message["fields"].remove(field)
    return True


def _remove_and_reserve_field(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    message["reserved"].append((field["number"], field["name"]))
    return _remove_field(dice, tree, message, field)


def _retype(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    del tree, message
    field["type"] = dice.choice([kind for kind in _PLAIN if kind != field["type"]])
    return True


def _widen(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    del dice, tree, message
    wider = {"int32": "int64", "uint32": "uint64", "sint32": "sint64", "string": "bytes", "bool": "int32"}
    if field["type"] not in wider or field["key"]:
        return False
    field["type"] = wider[field["type"]]
    return True


def _rename_field(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    del dice, tree
    if any(field["name"] == "renamed" for field in message["fields"]):
        return False
    field["name"] = "renamed"
    return True


def _renumber(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    del dice, tree
    field["number"] = _free(message)
    return True


def _repeat_or_not(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    del dice, tree, message
    if field["oneof"] or field["key"]:
        return False
    field["label"] = "" if field["label"] == "repeated" else "repeated"
    return True


def _track_presence_or_not(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    del dice, tree, message
    if field["oneof"] or field["key"] or field["label"] == "repeated":
        return False
    field["label"] = "optional" if not field["label"] else ""
    return True


def _join_oneof(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    del dice, tree
    if field["oneof"] or field["key"] or field["label"] == "repeated":
        return False
    field["label"], field["oneof"] = (
        "",
        next((field["oneof"] for field in message["fields"] if field["oneof"]), "joined"),
    )
    return True


def _gather_in_oneof(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    others = [field for field in message["fields"] if not (field["oneof"] or field["key"] or field["label"])]
    if len(others) < 2 or field["oneof"]:
        return False
    for gathered in others[:2]:
        gathered["oneof"] = "gathered"
    return bool(dice and tree)


def _change_oneof(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    del tree
    if not field["oneof"]:
        return False
    if dice.random() < 0.5:
        message["fields"].remove(field)
    else:
        message["fields"].append({**_field("chosen", _free(message), dice.choice(_PLAIN), ""), "oneof": field["oneof"]})
    return len([field for field in message["fields"] if field["name"] == "chosen"]) < 2


def _change_map(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    del tree, message
    if not field["key"]:
        return False
    if dice.random() < 0.5:
        field["key"] = "int64" if field["key"] != "int64" else "string"
    else:
        field["type"] = dice.choice(_PLAIN)
    return True


def _add_enum_value(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    del dice, message, field
    values = tree["messages"][0]["enums"][0]["values"]
    values.append([f"STATE_ADDED{len(values)}", len(values) + 10])
    return True


def _rename_enum_value(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    del dice, message, field
    values = tree["messages"][0]["enums"][0]["values"]
    values[-1][0] = "STATE_RENAMED"
    return True


def _add_message(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    del message, field
    tree["messages"].append(_message(dice, f"Added{len(tree['messages'])}", 2))
    return True


def _change_package(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    del dice, message, field
    tree["package"] = "shop.v2"
    return True


def _reorder(dice: Random, tree: Tree, message: Tree, field: Tree) -> bool:
    del tree, field
    dice.shuffle(message["fields"])
    return True


_CHANGES: tuple[Callable[[Random, Tree, Tree, Tree], bool], ...] = (
    _add_field,
    _remove_field,
    _remove_and_reserve_field,
    _retype,
    _widen,
    _rename_field,
    _renumber,
    _repeat_or_not,
    _track_presence_or_not,
    _join_oneof,
    _gather_in_oneof,
    _change_oneof,
    _change_map,
    _add_enum_value,
    _rename_enum_value,
    _add_message,
    _change_package,
    _reorder,
)


def protobuf_text(tree: Tree) -> str:
    body = "\n".join(_message_text(message) for message in tree["messages"])
    return f'syntax = "proto3";\npackage {tree["package"]};\n{body}\n'


def _message_text(message: Tree) -> str:
    lines = [f'reserved {number};\nreserved "{name}";' for number, name in message["reserved"]]
    lines += [f"enum {enum['name']} {{ {_values(enum)} }}" for enum in message["enums"]]
    lines += [_message_text(inner) for inner in message["inner"]]
    lines += [_field_text(field) for field in message["fields"] if not field["oneof"]]
    for oneof in sorted({field["oneof"] for field in message["fields"]} - {""}):
        inside = " ".join(_field_text(field) for field in message["fields"] if field["oneof"] == oneof)
        lines.append(f"oneof {oneof} {{ {inside} }}")
    return f"message {message['name']} {{\n" + "\n".join(lines) + "\n}"


def _values(enum: Tree) -> str:
    return " ".join(f"{name} = {number};" for name, number in enum["values"])


def _field_text(field: Tree) -> str:
    kind = f"map<{field['key']}, {field['type']}>" if field["key"] else f"{field['label']} {field['type']}".strip()
    return f"{kind} {field['name']} = {field['number']};"
