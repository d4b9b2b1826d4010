"""A page for each block of a runbook: what introduces it, and its card."""

from collections.abc import Iterator
from pathlib import Path

from markupsafe import Markup

from runbook.model.block import Cause, Check, Diagnostic, Effect, Procedure
from runbook.parse.old_names import old_names
from runbook.parse.runbook import LocatedBlock, Runbook
from runbook.publish.cause_card import cause_card, effect_card
from runbook.publish.check_card import check_card, sources_of
from runbook.publish.decision_tree import tree
from runbook.publish.headings import Heading, Introduced, headings
from runbook.publish.page import Page, fragment, title
from runbook.publish.page_context import PageContext
from runbook.publish.procedure_page import procedure_card
from runbook.publish.site_paths import beside, block_page


def block_pages(runbook: Runbook, context: PageContext) -> Iterator[Page]:
    """Make the page of each block of a runbook."""
    sources = sources_of(runbook)
    for heading in headings(runbook):
        for introduced in heading.blocks():
            card = _card(introduced.placed, sources[introduced.placed.name], context)
            yield _page(runbook, heading, introduced, context.head(runbook), card)


def moved_blocks(runbook: Runbook) -> Iterator[Page]:
    """Files at the addresses that pages of blocks had under old names: each leads to the page of its block."""
    titles = {placed.name: placed.block.title for placed in runbook.placed()}
    for old, now in old_names([runbook]).items():
        text = fragment("moved.html", title=titles[now], href=beside(now))
        yield Page(block_page(old), f"{text}\n")


def _page(runbook: Runbook, heading: Heading, introduced: Introduced, head: str, card: Markup) -> Page:
    placed = introduced.placed
    said = introduced.said.body(up="../", own=f"{runbook.name}.html")
    parts = [
        f"{title(placed.block.title)} {{ #{placed.block.id} }}",
        fragment("block_head.html", runbook=runbook, heading=heading),
        # A check answers first: what is so, what that means, what to do.
        *([_amended(placed), card, said] if isinstance(placed.block, Check) else [said, _amended(placed), card]),
    ]
    text = "\n\n".join(filter(None, parts))
    return Page(f"runbooks/{placed.name}.md", f"{head}{text}\n")


def _amended(placed: LocatedBlock) -> str:
    if not placed.amended:
        return ""
    file = placed.amended.document.start.file
    return fragment("amended.html", fields=placed.amended.fields(), file=Path(file).name)


def _card(placed: LocatedBlock, source: str, context: PageContext) -> Markup:
    match placed.block:
        case Check() as check:
            return check_card(placed, check, source, context)
        case Cause() as cause:
            return cause_card(placed, cause, context.blocks)
        case Effect() as effect:
            return effect_card(placed, effect)
        case Diagnostic():
            return tree(placed, context.blocks, context.environments)
        case Procedure():
            return procedure_card(placed)
