"""The page of a runbook: a map of its topics, with a line for each block, and the list of all runbooks."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby

from markupsafe import Markup
from msgspec import Struct

from runbook.model.block import SEVERITIES, Check, Diagnostic
from runbook.parse.anchors import questions_of
from runbook.parse.runbook import LocatedBlock, Runbook
from runbook.publish import prose
from runbook.publish.page import Page, fragment, title
from runbook.publish.page_context import PageContext, mark_of
from runbook.publish.status_row import StatusGroup, needing_a_person
from runbook.publish.topics import Introduced, Topic, topics


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
    parts = [title(runbook.front.title), _head(runbook, context)]
    for topic in topics(runbook):
        parts += _topic(topic, context)
    earlier = context.history.of(runbook.name)
    values = {"changes": runbook.front.changes, "earlier": earlier, "note": context.history.note_of(runbook.name)}
    parts.append(fragment("changes.html", name=runbook.name, **values))
    text = "\n\n".join(filter(None, parts))
    return Page(f"runbooks/{runbook.name}.md", f"{context.head(runbook)}{text}\n")


def _topic(topic: Topic, context: PageContext) -> Iterator[str]:
    yield topic.passage.title(topic.anchor)
    if not topic.is_of_one_block:
        yield topic.passage.body()
    for is_prose, parts in groupby(topic.parts, key=lambda part: isinstance(part, prose.Passage)):
        if is_prose:
            yield from (part.body() for part in parts if isinstance(part, prose.Passage))
        else:
            yield fragment("map.html", lines=list(_lines(parts, context)))


def _lines(parts: Iterable[Introduced | prose.Passage], context: PageContext) -> Iterator[MapLine]:
    for part in parts:
        if isinstance(part, Introduced):
            block = part.placed.block
            places = questions_of(block) if isinstance(block, Diagnostic) else []
            states = needing_a_person(part.placed, context.environments, context.stale_after)
            yield MapLine(part.placed, block.severity if isinstance(block, Check) else "", places, states)


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
    counts = [0] * len(SEVERITIES)
    for check in _judged(runbook):
        counts[SEVERITIES.index(check.severity)] += 1
    severities = [(name, count) for name, count in zip(SEVERITIES, counts, strict=True) if count]
    return fragment(
        "runbook_head.html",
        name=runbook.name,
        mark=mark_of(runbook, context.own),
        front=runbook.front,
        summary=prose.html(runbook.front.summary),
        severities=severities[::-1],
        gates=len(runbook.checks()) - sum(counts),
        where=" --env '*'" if len(context.environments) > 1 else "",
    )
