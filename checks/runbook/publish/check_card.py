"""A check as the card of its page: what is looked at, what is expected, what to do, and the last results."""

import re
from pathlib import Path

from markdown_it import MarkdownIt
from markupsafe import Markup
from mdit_py_plugins.front_matter import front_matter_plugin

from runbook.judge.effect_words import by_default
from runbook.model.block import Check
from runbook.model.consequence import reason_for
from runbook.parse.runbook import LocatedBlock, Runbook, read_text
from runbook.publish import prose
from runbook.publish.observed_facts import expectation, looks
from runbook.publish.page import fragment
from runbook.publish.page_context import PageContext
from runbook.publish.sources import cited
from runbook.publish.status_row import overrides, status_row

_SAID_ABOVE = re.compile(r"^(?:audit|effect|remedy|sources):.*\n(?:[ -].*\n|\n)*", re.MULTILINE)
"""What a card shows as text already."""


def check_card(placed: LocatedBlock, check: Check, source: str, context: PageContext) -> Markup:
    """Render a check; `source` is its YAML."""
    return fragment(
        "check.html",
        block=check,
        because=reason_for(check.consequence),
        name=placed.name,
        yaml=_SAID_ABOVE.sub("", source),
        md=prose.of_block(placed.runbook),
        sources=[cited(text) for text in check.sources],
        looks=looks(check),
        sentence=expectation(check.expect),
        effect=by_default(check),
        strip=status_row(placed, context.environments, context.stale_after),
        overrides=overrides(placed, context.environments),
    )


def sources_of(runbook: Runbook) -> dict[str, str]:
    """The YAML of each block as it stands in its file, with what is amended of it, by the block's name."""
    documents = {placed.name: (placed.source, placed.amended) for placed in runbook.placed()}
    files = {document.start.file for document, _ in documents.values()} | {runbook.path}
    yaml = {file: _sources(Path(file)) for file in files}
    found = {}
    for name, (document, amended) in documents.items():
        found[name] = yaml[document.start.file].get(document.start.line, "")
        if amended:
            at = amended.document.start
            found[name] += f"\n# and what is amended of it:\n{yaml[at.file].get(at.line, '')}"
    return found


def _sources(path: Path) -> dict[int, str]:
    """The YAML of every block of a file, by the line on which it begins."""
    tokens = MarkdownIt("commonmark").use(front_matter_plugin).parse(read_text(path, str(path)))
    return {token.map[0] + 2: token.content for token in tokens if token.type == "fence" and token.map}
