"""Reference pages made from declarations: probes, views, the blocks' fields; all of them as one list."""

from collections.abc import Mapping
from typing import Any

import msgspec

from runbook.model.block import AMEND, BLOCKS, Amendment
from runbook.model.front_matter import FrontMatter
from runbook.model.probe import Probe
from runbook.model.view import View
from runbook.parse.block_fields import cards
from runbook.parse.schema import json_schema
from runbook.plugins.catalog import catalog
from runbook.publish.observed_facts import load_probe, load_view
from runbook.publish.page import Page, fragment, heading
from runbook.publish.record_table import table
from runbook.publish.reference_files import inventory_page, results_page
from runbook.publish.reference_systems import connections_page, requests_file, rights_page
from runbook.run.judgement.case import WRITTEN

TOGETHER = 25  # names that open at once; our judgement: a screen or two of a phone


def reference_pages() -> list[Page]:
    """Make all of them; the JSON Schema of the blocks goes beside the page that explains it."""
    schemas = {
        kind: json_schema(record) for kind, record in {"front-matter": FrontMatter, **BLOCKS, AMEND: Amendment}.items()
    }
    return [
        *declared_pages("probe", {name: probe for name in catalog("probes").names() if (probe := load_probe(name))}),
        *declared_pages("view", {name: view for name in catalog("views").names() if (view := load_view(name))}),
        block_page(schemas),
        inventory_page(),
        connections_page(),
        requests_file(),
        rights_page(),
        results_page(),
        *(
            Page(f"reference/{kind}.schema.json", msgspec.json.format(msgspec.json.encode(schema)).decode())
            for kind, schema in map(_as_written, schemas, schemas.values())
        ),
    ]


def _as_written(kind: str, schema: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A kind of block, and its schema as authors write it: a check has a consequence or a severity."""
    check = schema["$defs"].get("Check")
    if check is None:
        return kind, schema
    required = [name for name in check["required"] if name != "severity"]
    either = {"required": required, "oneOf": [{"required": ["severity"]}, {"required": ["consequence"]}]}
    return kind, {**schema, "$defs": {**schema["$defs"], "Check": {**check, **either}}}


def declared_pages(kind: str, declared: Mapping[str, Probe | View]) -> list[Page]:
    """Make the list of all probes or views, and a page for each: rows, columns, requests, rights.

    Args:
        kind: probe or view.
        declared: what each name stands for.
    """
    about = {name: _about(f"{kind}s", name) for name in declared}
    lines = list(about.items())
    groups = [lines[first : first + TOGETHER] for first in range(0, len(lines), TOGETHER)]
    listed = fragment("declared.html", folder=f"{kind}s", groups=groups)
    parts = [f"# {kind.title()}s", fragment("probes_head.html", kind=kind), listed]
    return [
        Page(f"reference/{kind}s.md", "\n\n".join(parts) + "\n"),
        *(
            Page(
                f"reference/{kind}s/{name}.md",
                f"# {heading(name)}\n\n{fragment(f'{kind}.html', about=about[name], **{kind: one})}\n",
            )
            for name, one in declared.items()
        ),
    ]


def _about(room: str, name: str) -> str:
    """What a probe or view is about: the first sentence of its file."""
    return (catalog(room).load(name).__doc__ or "").partition("\n")[0]


def block_page(schemas: dict[str, dict[str, Any]]) -> Page:
    """Make the page of everything that a runbook's head and blocks may say."""
    parts = ["# Blocks", fragment("blocks_head.html", kinds=list(schemas))]
    for card in cards(WRITTEN):
        parts += [
            f"## {heading(card.name.replace('-', ' '))} {{ #{card.name.lower()} }}",
            table(card.help, card.fields),
        ]
    return Page("reference/blocks.md", "\n\n".join(parts) + "\n")
