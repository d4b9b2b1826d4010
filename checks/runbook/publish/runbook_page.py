"""The page of a runbook: a map of its headings, with a line for each block, and the list of all runbooks."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from markupsafe import Markup
from msgspec import Struct

from runbook.model.block import SEVERITIES, Check, Diagnostic, Procedure
from runbook.parse.anchors import questions_of
from runbook.parse.runbook import LocatedBlock, Runbook
from runbook.publish import prose
from runbook.publish.headings import Introduced, headings
from runbook.publish.page import Page, fragment, title
from runbook.publish.page_context import PageContext, mark_of
from runbook.publish.status_row import StatusGroup, needing_a_person

LONG: Final = 400  # characters of HTML; our judgement: what a phone shows in a third of its screen
FEW: Final = 5  # lines; our judgement: a fold of fewer saves nothing


class MapLine(Struct, frozen=True):
    """A block in the map of its runbook.

    Attributes:
        placed: the block.
        severity: of a check; empty for other blocks.
        places: parts of its page that had an address on the page of the runbook.
        states: the last results that need a person.
    """

    placed: LocatedBlock
    severity: str
    places: list[str]
    states: list[StatusGroup]


def runbook_page(runbook: Runbook, context: PageContext) -> Page:
    """Make the map of a runbook."""
    parts = [title(runbook.front.title), _head(runbook, context), *_headings(runbook, context)]
    earlier = context.history.of(runbook.name)
    values = {"changes": runbook.front.changes, "earlier": earlier, "note": context.history.note_of(runbook.name)}
    parts.append(fragment("changes.html", name=runbook.name, **values))
    text = "\n\n".join(filter(None, parts))
    return Page(f"runbooks/{runbook.name}.md", f"{context.head(runbook)}{text}\n")


def _headings(runbook: Runbook, context: PageContext) -> Iterator[str]:
    """Every heading; from the first list on, long prose is folded away, as a map is there to look for a line."""
    is_listed = False
    for heading in headings(runbook):
        yield heading.passage.title(heading.anchor)
        pieces = [*([] if heading.is_of_one_block else [heading.passage]), *heading.parts]
        for kind, parts in groupby(pieces, key=type):
            if kind is Introduced:
                is_listed = True
                yield _list([part.placed for part in parts if isinstance(part, Introduced)], context)
                continue
            for body in (part.body() for part in parts if isinstance(part, prose.Passage)):
                yield fragment("background.html", body=body) if is_listed and len(body) > LONG else body


def _list(listed: Sequence[LocatedBlock], context: PageContext) -> Markup:
    """Lines of blocks; long lists are folded away, but for those to begin with, and what needs a person."""
    lines = [_line(placed, context) for placed in listed]
    kinds = {type(placed.block) for placed in listed}
    folded = [line for line in lines if not line.states]
    if len(lines) <= FEW or len(folded) <= 1 or kinds & {Diagnostic, Procedure}:
        return fragment("map.html", lines=lines, folded=[], fold="")
    if kinds == {Check}:
        other = "" if len(folded) == len(lines) else "other "
        fold = f"{len(folded)} {other}checks: {_severities(line.severity for line in folded)}"
    else:
        fold = f"{len(folded)} causes, which the symptoms lead to"
    return fragment("map.html", lines=[line for line in lines if line.states], folded=folded, fold=fold)


def _line(placed: LocatedBlock, context: PageContext) -> MapLine:
    block = placed.block
    places = [
        *(questions_of(block) if isinstance(block, Diagnostic) else ()),
        *(old for old in block.was if "/" not in old),
    ]
    states = needing_a_person(placed, context.environments, context.stale_after)
    return MapLine(placed, block.severity if isinstance(block, Check) else "", places, states)


def runbooks_index(runbooks: Sequence[Runbook], own: Collection[str] = ()) -> Page:
    """Make the page that lists all runbooks by title; those named in `own` come first, and are marked."""
    ordered = sorted(runbooks, key=lambda book: (book.name not in own, book.front.title.casefold()))
    listed = [{"book": book, "checks": len(_judged(book)), "mark": mark_of(book, own)} for book in ordered]
    return Page("runbooks/index.md", f"# Runbooks\n\n{fragment('runbooks.html', listed=listed)}\n")


def _judged(runbook: Runbook) -> list[Check]:
    """The checks that each run judges: without those for gates of procedures."""
    blocks = [placed.block for placed in runbook.checks()]
    return [block for block in blocks if isinstance(block, Check) and not block.gate]


def _head(runbook: Runbook, context: PageContext) -> Markup:
    judged = _judged(runbook)
    return fragment(
        "runbook_head.html",
        name=runbook.name,
        mark=mark_of(runbook, context.own),
        front=runbook.front,
        summary=prose.html(runbook.front.summary),
        severities=_severities(check.severity for check in judged),
        gates=len(runbook.checks()) - len(judged),
        where=" --env '*'" if len(context.environments) > 1 else "",
    )


def _severities(found: Iterable[str]) -> str:
    """How many there are of each severity, the worst first."""
    counts = Counter(found)
    return ", ".join(f"{counts[name]} {name}" for name in reversed(SEVERITIES) if counts[name])
