"""Reference pages made from declarations: probes, views, the blocks' fields, the words."""

import inspect
import re
from typing import Any, get_args

import msgspec

from runbook.engine.block import BLOCKS, OBJECTIVES, SEVERITIES, FrontMatter
from runbook.engine.catalog import catalog
from runbook.engine.column import ENTITIES, ColumnType
from runbook.engine.parameter import Parameter
from runbook.engine.probe import Proof
from runbook.engine.result import Outcome
from runbook.engine.schema import json_schema
from runbook.publish.looked_at import load_probe, load_view
from runbook.publish.page import Page, fragment, heading


def reference_pages() -> list[Page]:
    """Make all of them; the JSON Schema of the blocks goes beside the page that explains it."""
    schemas = {kind: json_schema(record) for kind, record in {"front-matter": FrontMatter, **BLOCKS}.items()}
    return [
        probes_page(),
        views_page(),
        block_page(schemas),
        words_page(),
        *(
            Page(f"reference/{kind}.schema.json", msgspec.json.format(msgspec.json.encode(schema)).decode())
            for kind, schema in schemas.items()
        ),
    ]


def probes_page() -> Page:
    """Make the page of all probes: rows, columns, requests, rights."""
    parts = ["# Probes", fragment("probes_head.html", kind="probe")]
    for name in catalog("probes").names():
        probe = load_probe(name)
        if probe:
            parts += [f"## {heading(name)} {{ #{name} }}", fragment("probe.html", probe=probe)]
    return Page("reference/probes.md", "\n\n".join(parts) + "\n")


def views_page() -> Page:
    """Make the page of all views."""
    parts = ["# Views", fragment("probes_head.html", kind="view")]
    for name in catalog("views").names():
        view = load_view(name)
        if view:
            parts += [f"## {heading(name)} {{ #{name} }}", fragment("view.html", view=view)]
    return Page("reference/views.md", "\n\n".join(parts) + "\n")


def block_page(schemas: dict[str, dict[str, Any]]) -> Page:
    """Make the page of everything that a runbook's head and blocks may say."""
    records: dict[str, Any] = {"front matter": FrontMatter, **BLOCKS, "parameter": Parameter}
    nested = [definition for schema in schemas.values() for definition in schema["$defs"]]
    parts = ["# Blocks", fragment("blocks_head.html", kinds=list(schemas))]
    shown: set[str] = set()
    for title, record in records.items():
        parts += [f"## {heading(title)} {{ #{title.replace(' ', '-')} }}", _fields(record)]
        shown.add(record.__name__)
    modules = [inspect.getmodule(FrontMatter)]
    for name in dict.fromkeys(nested):
        record = next((getattr(module, name) for module in modules if hasattr(module, name)), None)
        if record is not None and name not in shown:
            parts += [f"## {heading(name)} {{ #{name.lower()} }}", _fields(record)]
    return Page("reference/blocks.md", "\n\n".join(parts) + "\n")


def words_page() -> Page:
    """Make the page of the words that code, commands and pages share."""
    values = fragment(
        "words.html",
        outcomes=[outcome.value for outcome in Outcome],
        severities=SEVERITIES,
        objectives=OBJECTIVES,
        proofs=get_args(Proof),
        entities=ENTITIES,
        types=get_args(ColumnType),
        connections=catalog("connections").names(),
    )
    return Page("reference/words.md", f"# Words\n\n{values}\n")


def _fields(record: Any) -> Any:
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
    name = ""
    for line in section.splitlines():
        if not line.strip():
            break
        start = re.match(r"    (\w+): (.*)", line)
        if start:
            name = start[1]
            found[name] = start[2]
        elif name:
            found[name] += " " + line.strip()
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
