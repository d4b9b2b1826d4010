"""A runbook as a page: its prose stays prose, each block becomes a card under its own anchor."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from markdown_it import MarkdownIt
from markupsafe import Markup
from mdit_py_plugins.front_matter import front_matter_plugin
from msgspec import Struct

from runbook.judge.effect_words import by_default
from runbook.model.block import SEVERITIES, Cause, Check, Diagnostic, Effect, Procedure
from runbook.model.consequence import reason_for
from runbook.parse.runbook import LocatedBlock, Prose, Runbook, read_text
from runbook.publish import prose
from runbook.publish.cause_card import cause_card, effect_card
from runbook.publish.decision_tree import tree
from runbook.publish.evidence import EnvironmentEvidence
from runbook.publish.observed_facts import expectation, looks
from runbook.publish.page import Page, fragment, heading, title
from runbook.publish.procedure_page import procedure_card
from runbook.publish.sources import cited
from runbook.publish.status_row import overrides, status_row
from runbook.publish.versions import VersionHistory

_MARKED = "---\nsubtitle: {0}\ntags: [{0}]\n---\n\n"
"""The head of a page that the navigation, and each hit in the search box, marks as one's own."""


class PageContext(Struct, frozen=True):
    """What pages of runbooks show beside the runbook.

    Attributes:
        environments: the last results of each.
        stale_after: the age above which a result is marked as old.
        checks: every check of all published runbooks, by its global name.
        history: the versions that releases had.
        own: names of runbooks that are marked as one's own, beside built-in ones.
    """

    environments: Sequence[EnvironmentEvidence]
    stale_after: timedelta
    checks: Mapping[str, LocatedBlock]
    history: VersionHistory
    own: frozenset[str] = frozenset()


def runbook_page(runbook: Runbook, context: PageContext) -> Page:
    """Make the page of a runbook, with the last result of each check in each environment."""
    files = {runbook.path, *(placed.source.start.file for placed in runbook.placed())}
    yaml = {file: _sources(Path(file)) for file in files}
    mark = _mark(runbook, context.own)
    parts = [title(runbook.front.title), _head(runbook, mark, context)]
    for part in runbook.parts:
        if isinstance(part, Prose):
            parts.append(prose.markdown(_without_title(part.text, runbook.front.title)))
            continue
        parts.append(f"### {heading(part.block.title)} {{ #{part.block.id} }}")
        start = part.source.start
        source = yaml[start.file].get(start.line, "")
        if part.amended:
            at = part.amended.document.start
            parts.append(fragment("amended.html", fields=part.amended.fields(), file=Path(at.file).name))
            source += f"\n# and what is amended of it:\n{yaml[at.file].get(at.line, '')}"
        parts.append(_card(part, source, context))
    earlier = context.history.of(runbook.name)
    values = {"changes": runbook.front.changes, "earlier": earlier, "note": context.history.note_of(runbook.name)}
    parts.append(fragment("changes.html", name=runbook.name, **values))
    return Page(
        f"runbooks/{runbook.name}.md", (_MARKED.format(mark) if mark else "") + "\n\n".join(filter(None, parts)) + "\n"
    )


def runbooks_index(runbooks: Sequence[Runbook], own: Collection[str] = ()) -> Page:
    """Make the page that lists all runbooks by title; those named in `own` come first, and are marked."""
    ordered = sorted(runbooks, key=lambda book: (book.name not in own, book.front.title.casefold()))
    listed = [{"book": book, "checks": len(_judged(book)), "mark": _mark(book, own)} for book in ordered]
    return Page("runbooks/index.md", f"# Runbooks\n\n{fragment('runbooks.html', listed=listed)}\n")


def arrivals_page(runbooks: Sequence[Runbook], own: Collection[str] = ()) -> Page:
    """Make the page of everything that brings people here: names of alerts, texts of errors."""
    found = sorted(
        (text, _words(text), book.front.title, href, _mark(book, own))
        for book in runbooks
        for text, href in _arrivals(book)
    )
    table = fragment("arrivals.html", found=found)
    return Page("alerts.md", f"---\nsearch:\n  boost: 4\n---\n\n# Alerts and errors\n\n{table}\n")


def _words(text: str) -> str:
    """The words that a name is made of, for a search with one of them; empty if it is made of one, or of words."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", text)
    return " ".join(words).lower() if len(words) > 1 and " " not in text else ""


def _arrivals(runbook: Runbook) -> list[tuple[str, str]]:
    """What brings people to a runbook, an alert's name or an error's text, and the place it leads to."""
    page = f"runbooks/{runbook.name}.html"
    found = [(text, page) for text in (*runbook.front.alerts, *runbook.front.errors)]
    for placed in runbook.placed():
        texts = (*getattr(placed.block, "alerts", ()), *getattr(placed.block, "errors", ()))
        found += [(text, f"{page}#{placed.block.id}") for text in texts]
    return list(dict(found).items())


def _without_title(text: str, title: str) -> str:
    """Drop a first heading that only repeats the page's title."""
    first, _, rest = text.partition("\n")
    return rest.lstrip("\n") if first.lstrip("#").strip() == title and first.startswith("# ") else text


def marks(runbooks: Sequence[Runbook], own: Collection[str]) -> dict[str, str]:
    """What marks each runbook that is not built in as it is, by its name."""
    return {book.name: mark for book in runbooks if (mark := _mark(book, own))}


def _mark(runbook: Runbook, own: Collection[str]) -> str:
    """What marks a runbook of one's own beside built-in ones, or a built-in one that is changed; "" for the others."""
    return "" if runbook.name not in own else "built-in, amended" if runbook.front.extends else "our own"


def _judged(runbook: Runbook) -> list[Check]:
    """The checks that each run judges: without those for gates of procedures."""
    blocks = [placed.block for placed in runbook.checks()]
    return [block for block in blocks if isinstance(block, Check) and not block.gate]


def _head(runbook: Runbook, mark: str, context: PageContext) -> Markup:
    counts = [0] * len(SEVERITIES)
    for check in _judged(runbook):
        counts[SEVERITIES.index(check.severity)] += 1
    severities = [(name, count) for name, count in zip(SEVERITIES, counts, strict=True) if count]
    return fragment(
        "runbook_head.html",
        name=runbook.name,
        mark=mark,
        front=runbook.front,
        summary=prose.html(runbook.front.summary),
        severities=severities[::-1],
        gates=len(runbook.checks()) - sum(counts),
        where=" --env '*'" if len(context.environments) > 1 else "",
    )


def _sources(path: Path) -> dict[int, str]:
    """The YAML of every block, by the line of the file on which it begins."""
    tokens = MarkdownIt("commonmark").use(front_matter_plugin).parse(read_text(path, str(path)))
    return {token.map[0] + 2: token.content for token in tokens if token.type == "fence" and token.map}


_SAID_ABOVE = re.compile(r"^(?:audit|effect|remedy|sources):.*\n(?:[ -].*\n|\n)*", re.MULTILINE)
"""What a card shows as text already: with it a page of eighty checks would be too big to load."""


def _of_the_verdict(source: str) -> str:
    """A check's YAML without what the card says anyway."""
    return _SAID_ABOVE.sub("", source)


def _card(placed: LocatedBlock, source: str, context: PageContext) -> Markup:
    match placed.block:
        case Check():
            return _check(placed, placed.block, source, context)
        case Cause():
            return cause_card(placed, placed.block)
        case Effect():
            return effect_card(placed, placed.block)
        case Diagnostic():
            return tree(placed, context.checks, context.environments)
        case Procedure():
            return procedure_card(placed)


def _check(placed: LocatedBlock, check: Check, source: str, context: PageContext) -> Markup:
    return fragment(
        "check.html",
        block=check,
        because=reason_for(check.consequence),
        name=placed.name,
        yaml=_of_the_verdict(source),
        md=prose.html,
        sources=[cited(text) for text in check.sources],
        looks=looks(check),
        sentence=expectation(check.expect),
        effect=by_default(check),
        strip=status_row(placed, context.environments, context.stale_after),
        overrides=overrides(placed, context.environments),
    )
