"""What brings people to runbooks: the list of all alerts and errors, and a page for each alert."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from markupsafe import Markup
from msgspec import Struct

from runbook.model.block import Block, Diagnostic
from runbook.model.front_matter import FrontMatter
from runbook.parse.runbook import LocatedBlock, Runbook
from runbook.publish import prose
from runbook.publish.incident_page import environment_choice
from runbook.publish.page import UNSEARCHED, Page, fragment, title
from runbook.publish.page_context import PageContext, mark_of, marks
from runbook.publish.response_cards import response_card
from runbook.publish.site_paths import alert_page, block_page, built
from runbook.search.entries import alert_name

_ROOT: Final = "../../"  # of the site, seen from the page of an alert


class Arrival(Struct, frozen=True):
    """A name of an alert or the text of an error, and where it leads.

    Attributes:
        text: as the runbook lists it.
        alert: the name of the alert; empty for an error.
        runbook: the one that lists it.
        name: of the block that lists it; of the runbook, if its head does.
        source: that block, or the head.
    """

    text: str
    alert: str
    runbook: Runbook
    name: str
    source: Block | FrontMatter

    @property
    def href(self) -> str:
        """The page that it leads to, seen from the root of the site."""
        return block_page(self.name)


def arrivals_page(runbooks: Sequence[Runbook], own: Collection[str] = ()) -> Page:
    """Make the page of everything that brings people here: names of alerts, and texts of errors by runbook."""
    found = list(_arrivals(runbooks))
    alerts: dict[str, list[str]] = {}
    for one in found:
        if one.alert:
            alerts.setdefault(one.alert, []).append(mark_of(one.runbook, own))
    errors: dict[str, dict[str, list[Arrival]]] = {}
    for one in sorted(found, key=lambda one: (one.runbook.name not in own, one.runbook.front.title.casefold())):
        if not one.alert:
            errors.setdefault(one.runbook.name, {}).setdefault(one.name, []).append(one)
    values = {"alerts": sorted(alerts.items()), "errors": errors, "marks": marks(runbooks, own)}
    text = fragment("arrivals.html", page=lambda name: built(alert_page(name)), **values)
    return Page("alerts.md", f"---\nsearch:\n  boost: 4\n---\n\n# Alerts and errors\n\n{text}\n")


def alert_pages(runbooks: Sequence[Runbook], context: PageContext) -> Iterator[Page]:
    """Make the page of each alert, for the `runbook_url` of its rule: the address depends on its name alone."""
    choice = environment_choice(context.environments, _ROOT)
    named: dict[str, dict[str, Arrival]] = {}
    for one in _arrivals(runbooks):
        if one.alert:
            named.setdefault(one.alert, {})[one.href] = one
    for name, places in sorted(named.items()):
        told = {one.runbook.name for one in places.values() if isinstance(one.source, Diagnostic)}
        shown = [one for one in places.values() if one.name not in told]  # a symptom says more than its runbook
        parts = [_place(one, context.blocks) for one in sorted(shown, key=lambda one: one.name == one.runbook.name)]
        text = "\n\n".join([title(name), fragment("alert_head.html", name=name), choice, *parts])
        yield Page(alert_page(name), f"{UNSEARCHED}{text}\n")


def _place(one: Arrival, blocks: Mapping[str, LocatedBlock]) -> Markup:
    """A place that an alert leads to: what to do about it, or the runbook whose head names the alert."""
    if one.name in blocks:
        return response_card(blocks[one.name], blocks, _ROOT)
    return fragment("alert.html", one=one, says=prose.html(one.runbook.front.summary, up=f"{_ROOT}runbooks/"))


def _arrivals(runbooks: Sequence[Runbook]) -> Iterator[Arrival]:
    """What brings people to runbooks; each text once for each place."""
    for book in runbooks:
        sources = [(book.name, book.front), *((placed.name, placed.block) for placed in book.placed())]
        for name, source in sources:
            for text in dict.fromkeys(getattr(source, "alerts", ())):
                yield Arrival(text, alert_name(text), book, name, source)
            for text in dict.fromkeys(getattr(source, "errors", ())):
                yield Arrival(text, "", book, name, source)
