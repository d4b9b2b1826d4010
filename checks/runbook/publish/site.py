"""Everything that is generated for the site: its pages, and what stands at the foot of each."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path

import msgspec
from markupsafe import Markup
from msgspec import Struct

from runbook.model.errors import Invalid, Problem
from runbook.parse.extending import read_whole
from runbook.parse.old_names import old_names
from runbook.parse.runbook import Runbook
from runbook.plugins.content import builtin_runbooks
from runbook.publish.alert_pages import alert_pages, arrivals_page
from runbook.publish.block_links import places_of
from runbook.publish.block_pages import block_pages, moved_blocks
from runbook.publish.evidence import EnvironmentEvidence, read_environments
from runbook.publish.evidence_pages import evidence_pages
from runbook.publish.first_steps import first_steps
from runbook.publish.incident_page import incident_pages
from runbook.publish.page import Page
from runbook.publish.page_context import PageContext, marks
from runbook.publish.procedure_page import moved_checklists
from runbook.publish.pseudonyms import Pseudonyms
from runbook.publish.reference_pages import reference_pages
from runbook.publish.runbook_page import runbook_page, runbooks_index
from runbook.publish.scorecard import Scorecard, read_scorecard
from runbook.publish.scorecard_pages import scorecard_pages
from runbook.publish.versions import read_history, version_pages
from runbook.publish.week_pages import read_kept
from runbook.publish.week_summary import WeekSummary
from runbook.publish.when import newest, site_footer
from runbook.run.sources.project import Project
from runbook.search.site_index import site_index


class SiteRunbooks(Struct, frozen=True):
    """The runbooks that a site shows.

    Attributes:
        folder: the one whose releases tell of earlier versions.
        files: all of them.
        own: names of those that are the project's own, where built-in ones stand beside them.
    """

    folder: Path
    files: Sequence[Path]
    own: frozenset[str] = frozenset()


def in_folder(folder: Path) -> SiteRunbooks:
    """The runbooks of one folder."""
    return SiteRunbooks(folder, sorted(folder.glob("*.md")))


def of_project(project: Project) -> SiteRunbooks:
    """The runbooks of a project, and the built-in ones that it wants beside them."""
    builtin = [builtin_runbooks() / f"{name}.md" for name in project.builtin()]
    files = [*builtin, *(file.resolve() for file in project.runbooks().values())]
    own = frozenset(project.runbooks() if builtin else ())
    folder = project.place(project.settings.runbooks).resolve()
    return SiteRunbooks(folder, sorted(files, key=lambda file: file.stem), own)


class Site(Struct, frozen=True):
    """What is generated for a site.

    Attributes:
        pages: all of them.
        footer: the line at the foot of each page, of the theme's and a person's own, too: how new the results are.
        blocks: where each block of a runbook is, by its names.
    """

    pages: Iterator[Page]
    footer: Markup
    blocks: Mapping[str, str]


def make_site(
    runbooks: SiteRunbooks, data: Path, stale_after: timedelta, now: datetime, key: bytes | None = None
) -> Site:
    """Make every generated page.

    Args:
        runbooks: those that the site shows.
        data: the folder that holds `results/`, a store, and `scorecard/`; either may be missing.
        stale_after: the age above which a result is marked as old.
        now: when the site is made.
        key: of pseudonyms, for a site without names of what clusters hold; None for one with them.

    Raises:
        Invalid: runbooks have mistakes; with those of all of them.
        Unreadable: there is a scorecard, but it can't be shown.
    """
    books = _read(runbooks.files)
    environments = read_environments(data / "results", [book.name for book in books], now, old_names(books))
    card = read_scorecard(data / "scorecard" / "scorecard.json")
    blocks = {placed.name: placed for book in books for placed in book.placed()}
    kept = read_kept(data / "scorecard" / "weeks")
    if key:
        pseudonyms = Pseudonyms(key, blocks)
        environments = [pseudonyms.environment(found) for found in environments]
        card, kept = card and pseudonyms.card(card), []
    context = PageContext(environments, stale_after, blocks, read_history(runbooks.folder, books), runbooks.own)
    pages = chain(_pages(books, context, card, kept, _store(data)), _whole(card, data, key))
    return Site(pages, _footer(environments, card, stale_after), places_of(books))


def _pages(
    books: Sequence[Runbook], context: PageContext, card: Scorecard | None, kept: Sequence[WeekSummary], store: str
) -> Iterator[Page]:
    names = [book.name for book in books]
    yield runbooks_index(books, context.own)
    yield arrivals_page(books, context.own)
    yield from alert_pages(books, context)
    yield from incident_pages(books, context)
    yield Page("scripts/find-index.js", site_index(books))
    for book in books:
        yield runbook_page(book, context)
        yield from block_pages(book, context)
        yield from moved_checklists(book)
        yield from moved_blocks(book)
        yield from version_pages(book, context.history)
    yield from scorecard_pages(
        card,
        context.environments,
        names,
        marks(books, context.own),
        first_steps(books),
        kept,
    )
    yield from evidence_pages(context.environments, names, store, card.silent() if card else ())
    yield from reference_pages()


def _whole(card: Scorecard | None, data: Path, key: bytes | None) -> Iterator[Page]:
    """The scorecard as JSON: the whole file; without names what the site reads of it, as nothing else is replaced."""
    if card:
        file = data / "scorecard" / "scorecard.json"
        whole = msgspec.json.encode(card) if key else file.read_bytes()
        said = msgspec.json.format(whole, indent=-1)  # without indentation it is a third smaller
        yield Page("scorecard/scorecard.json", said.decode() + "\n")


def _store(data: Path) -> str:
    """How a command of a checkout names the store; of one elsewhere the reader fills in where it is."""
    place, here = (data / "results").absolute(), Path.cwd()
    return place.relative_to(here).as_posix() if place.is_relative_to(here) else "STORE"


def _footer(environments: Sequence[EnvironmentEvidence], card: Scorecard | None, stale_after: timedelta) -> Markup:
    """Where there is a scorecard, its rounds are what was promised: an incident in between renews nothing."""
    if card:
        return site_footer("Newest scored run", newest(card.scored_at()), stale_after)
    return site_footer(
        "Newest results",
        newest(environment.last.started_at for environment in environments if environment.last),
        stale_after,
    )


def _read(files: Sequence[Path]) -> list[Runbook]:
    books: list[Runbook] = []
    problems: list[Problem] = []
    for path in files:
        try:
            books.append(read_whole(path))
        except Invalid as invalid:
            problems += invalid.problems
    if problems:
        raise Invalid(problems)
    return books
