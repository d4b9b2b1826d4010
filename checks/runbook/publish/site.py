"""Everything that is generated for the site, as one list of pages."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
from msgspec import Struct

from runbook.model.errors import Invalid, Problem
from runbook.parse.extending import read_whole
from runbook.parse.runbook import Runbook
from runbook.plugins.content import builtin_runbooks
from runbook.publish.evidence import read_environments
from runbook.publish.evidence_pages import evidence_pages
from runbook.publish.page import Page
from runbook.publish.procedure_page import checklists
from runbook.publish.reference_pages import reference_pages
from runbook.publish.runbook_page import PageContext, arrivals_page, runbook_page, runbooks_index
from runbook.publish.scorecard import read_scorecard
from runbook.publish.scorecard_pages import scorecard_pages
from runbook.publish.strip import environments_page
from runbook.publish.versions import read_history, version_pages
from runbook.run.project import Project


class SiteRunbooks(Struct, frozen=True):
    """The runbooks that a site shows.

    Attributes:
        folder: the one whose history tells of earlier versions.
        files: all of them.
    """

    folder: Path
    files: Sequence[Path]


def in_folder(folder: Path) -> SiteRunbooks:
    """The runbooks of one folder."""
    return SiteRunbooks(folder, sorted(folder.glob("*.md")))


def of_project(project: Project) -> SiteRunbooks:
    """The runbooks of a project, and the built-in ones that it wants beside them."""
    builtin = [builtin_runbooks() / f"{name}.md" for name in project.builtin()]
    files = [*builtin, *(file.resolve() for file in project.runbooks().values())]
    return SiteRunbooks(project.place(project.settings.runbooks).resolve(), sorted(files, key=lambda file: file.stem))


def pages(runbooks: SiteRunbooks, data: Path, stale_after: timedelta, now: datetime) -> Iterator[Page]:
    """Make every generated page.

    Args:
        runbooks: those that the site shows.
        data: the folder that holds `results/`, a store, and `scorecard/`; either may be missing.
        stale_after: the age above which a result is marked as old.
        now: when the site is made; ages count to it.

    Raises:
        Invalid: runbooks have mistakes; with those of all of them.
        Unreadable: there is a scorecard, but it can't be shown.
    """
    books = _read(runbooks.files)
    names = [book.name for book in books]
    environments = read_environments(data / "results", names, now)
    checks = {placed.name: placed for book in books for placed in book.checks()}
    context = PageContext(environments, stale_after, checks, read_history(runbooks.folder, books))
    yield runbooks_index(books)
    yield arrivals_page(books)
    for book in books:
        yield runbook_page(book, context)
        spread = environments_page(book, environments, stale_after)
        if spread:
            yield spread
        yield from checklists(book)
        yield from version_pages(book, context.history)
    file = data / "scorecard" / "scorecard.json"
    card = read_scorecard(file)
    yield from scorecard_pages(card, environments, names)
    if card:
        whole = msgspec.json.format(file.read_bytes(), indent=-1)  # without indentation it is a third smaller
        yield Page("scorecard/scorecard.json", whole.decode() + "\n")
    yield from evidence_pages(environments, names)
    yield from reference_pages()


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
