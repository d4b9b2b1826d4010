"""The page for an incident: from an alert, an error or a line of a log to causes, their last verdicts, and the command.

What the page shows of a place is in a script for each runbook, as a page from a folder can fetch no data.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from markupsafe import Markup

from runbook.model.block import Diagnostic
from runbook.parse.runbook import LocatedBlock, Runbook
from runbook.publish.block_links import places_of, with_block_links
from runbook.publish.evidence import EnvironmentEvidence
from runbook.publish.page import Page, fragment
from runbook.publish.page_context import PageContext
from runbook.publish.response_cards import response_card
from runbook.publish.site_paths import block_page, file_name
from runbook.publish.verdict_files import as_script, verdict_files

PAGE: Final = "incident.md"
_HEAD: Final = "---\nhide: [navigation, toc]\nsearch:\n  boost: 4\n---\n\n# Incident\n\n"
_COMMON: Final = (  # our judgement: what people are paged for most, and what stops clients first
    "ha/writers-are-refused",
    "ha/partitions-are-offline",
    "consumers/consumers-fall-behind",
    "ha/replicas-are-behind",
    "ha/a-broker-does-not-answer",
    "consumers/consumers-rebalance-for-no-reason",
    "observability/produce-is-slow",
    "security/clients-do-not-trust-the-broker",
    "security/logins-fail",
    "error-handling/a-task-has-failed",
    "schema-governance/consumers-cant-read",
    "os-hardware/too-many-open-files",
)


def incident_pages(books: Sequence[Runbook], context: PageContext) -> Iterator[Page]:
    """Make the page, and the scripts that it asks for: cards by runbook, verdicts by environment."""
    choice = environment_choice(context.environments)
    box = fragment("incident.html", choice=choice, common=_common(context), page=block_page)
    yield Page(PAGE, f"{_HEAD}{box}\n")
    places = places_of(books)
    cards: dict[str, dict[str, str]] = defaultdict(dict)
    for name, placed in context.blocks.items():
        if card := response_card(placed, context.blocks):
            cards[placed.runbook][name] = with_block_links(card, PAGE, places)
    for runbook, made in cards.items():
        yield Page(f"scripts/cards/{runbook}.js", as_script("RUNBOOK_CARDS", made))
    yield from verdict_files(context.environments, context.blocks)


def environment_choice(environments: Sequence[EnvironmentEvidence], root: str = "") -> Markup:
    """What lets a reader choose an environment; it says so where none has results."""
    choices = [(found.name, file_name(found.name)) for found in environments if found.results]
    return fragment("environment_choice.html", choices=choices, root=root)


def _common(context: PageContext) -> list[LocatedBlock]:
    """The symptoms that stand under the box: those of one's own runbooks, and the commonest ones."""
    own = [placed for placed in context.blocks.values() if placed.runbook in context.own]
    symptoms = [placed for placed in own if isinstance(placed.block, Diagnostic) and placed.name not in _COMMON]
    return [*symptoms, *(context.blocks[name] for name in _COMMON if name in context.blocks)][: len(_COMMON)]
