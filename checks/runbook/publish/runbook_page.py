"""A runbook as a page: its prose stays prose, each block becomes a card under its own anchor."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup
from mdit_py_plugins.front_matter import front_matter_plugin
from msgspec import Struct

from runbook.engine.block import SEVERITIES, Check, Diagnostic, Procedure
from runbook.engine.runbook import Placed, Prose, Runbook, read_text
from runbook.publish import prose
from runbook.publish.evidence import Environment, Seen
from runbook.publish.looked_at import expectation, looks
from runbook.publish.page import Page, anchor, fragment, heading, title
from runbook.publish.site_paths import evidence_page


class Cell(Struct, frozen=True):
    """The last result of a check for one subject, as a cell of its card."""

    name: str
    status: str
    age: str
    note: str
    href: str


def runbook_page(runbook: Runbook, environments: Sequence[Environment], stale_after: timedelta) -> Page:
    """Make the page of a runbook, with the last result of each check in each environment."""
    yaml = _sources(Path(runbook.path))
    parts = [title(runbook.front.title), _head(runbook)]
    for part in runbook.parts:
        if isinstance(part, Prose):
            parts.append(prose.markdown(_without_title(part.text, runbook.front.title)))
            continue
        parts.append(f"### {heading(part.block.title)} {{ #{part.block.id} }}")
        source = yaml.get(part.document.start.line, "")
        parts.append(_card(part, source, environments, stale_after))
    parts.append(fragment("changes.html", changes=runbook.front.changes))
    return Page(f"runbooks/{runbook.name}.md", "\n\n".join(filter(None, parts)) + "\n")


def runbooks_index(runbooks: Sequence[Runbook]) -> Page:
    """Make the page that lists all runbooks, and the alerts and errors that lead to them."""
    listed = [{"book": book, "checks": len(book.checks()), "arrivals": _arrivals(book)} for book in runbooks]
    return Page("runbooks/index.md", f"# Runbooks\n\n{fragment('runbooks.html', listed=listed)}\n")


def _arrivals(runbook: Runbook) -> list[tuple[str, str]]:
    """What brings people to a runbook, an alert's name or an error's text, and the place it leads to."""
    page = f"{runbook.name}.html"
    found = [(text, page) for text in (*runbook.front.alerts, *runbook.front.errors)]
    for diagnostic in runbook.diagnostics():
        found += [(text, f"{page}#{diagnostic.id}") for text in (*diagnostic.alerts, *diagnostic.errors)]
    return sorted(dict(reversed(found)).items())


def _without_title(text: str, title: str) -> str:
    """Drop a first heading that only repeats the page's title."""
    first, _, rest = text.partition("\n")
    return rest.lstrip("\n") if first.lstrip("#").strip() == title and first.startswith("# ") else text


def _head(runbook: Runbook) -> Markup:
    counts = [0] * len(SEVERITIES)
    for placed in runbook.checks():
        counts[SEVERITIES.index(placed.block.severity)] += 1  # type: ignore[union-attr] # they are checks
    severities = [(name, count) for name, count in zip(SEVERITIES, counts, strict=True) if count]
    return fragment(
        "runbook_head.html",
        name=runbook.name,
        front=runbook.front,
        summary=prose.html(runbook.front.summary),
        severities=severities[::-1],
    )


def _sources(path: Path) -> dict[int, str]:
    """The YAML of every block, by the line of the file on which it begins."""
    tokens = MarkdownIt("commonmark").use(front_matter_plugin).parse(read_text(path, str(path)))
    return {token.map[0] + 2: token.content for token in tokens if token.type == "fence" and token.map}


def _card(placed: Placed, source: str, environments: Sequence[Environment], stale_after: timedelta) -> Markup:
    block = placed.block
    values: dict[str, Any] = {"block": block, "name": placed.name, "yaml": source, "md": prose.html, "ref": _reference}
    values["sources"] = [prose.inline(text) for text in block.sources]
    match block:
        case Check():
            cells = [cell for environment in environments for cell in _cells(placed, environment, stale_after)]
            sentence = expectation(block.expect)
            return fragment("check.html", **values, looks=looks(block), sentence=sentence, cells=cells)
        case Diagnostic():
            return fragment("diagnostic.html", **values)
        case Procedure():
            return fragment("procedure.html", **values)


def _reference(check: str) -> str:
    """Where the page of a check is, seen from another runbook's page; `check` may be a bare id of the same page."""
    runbook, slash, identifier = check.rpartition("/")
    return f"{runbook}.html#{identifier}" if slash else f"#{check}"


def _cells(placed: Placed, environment: Environment, stale_after: timedelta) -> list[Cell]:
    page = f"../{evidence_page(environment.name)}".removesuffix(".md") + ".html"
    seen = environment.results.get(placed.name, [])
    if not seen:
        return [Cell(environment.name, "none", "", "", page)]
    return [_cell(placed, one, page, stale_after) for one in seen]


def _cell(placed: Placed, seen: Seen, page: str, stale_after: timedelta) -> Cell:
    notes = []
    if seen.stale(stale_after):
        notes.append("older than results may be")
    if seen.result.check_digest != placed.digest():
        notes.append("judged by an earlier definition")
    place = f"{page}#{anchor(f'{placed.name}-{seen.result.subject}')}"
    return Cell(seen.result.subject or seen.result.environment, seen.status, seen.age, ", ".join(notes), place)
