"""The fields of a record as a table: names and types from the code, meanings from its docstring."""

import inspect
import re
from typing import Any

from markupsafe import Markup

from runbook.parse.schema import json_schema
from runbook.publish.page import fragment


def fields(record: Any) -> Markup:
    """The table of a record's fields."""
    schema = json_schema(record)
    definition = schema["$defs"][record.__name__]
    explained = attributes(record)
    required = definition.get("required", ())
    rows = [
        {
            "name": name,
            "type": _type(field),
            "must": name in required,
            "help": explained.get(name.rstrip("_")) or field.get("description", ""),
        }
        for name, field in definition["properties"].items()
    ]
    summary = (inspect.getdoc(record) or "").partition("\n")[0]
    return fragment("fields.html", summary=summary, rows=rows)


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
        case {"enum": words}:
            return " | ".join(str(word) for word in words)
        case {"anyOf": parts}:
            return " or ".join(_type(part) for part in parts if part.get("type") != "null")
        case {"type": "array"}:
            return f"list of {_type(field.get('items', {}))}"
        case {"type": "object"}:
            inner = field.get("additionalProperties")
            return f"map of {_type(inner)}" if isinstance(inner, dict) and inner else "map"
    kind = str(field.get("type", "any"))
    return f"{kind} like {field['pattern']}" if "pattern" in field else kind
