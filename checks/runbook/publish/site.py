"""Everything that is generated for the site, as one list of pages."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from runbook.engine.errors import Invalid, Problem
from runbook.engine.runbook import Runbook, read_runbook
from runbook.publish.evidence import read_environments
from runbook.publish.evidence_pages import environment_page, evidence_index
from runbook.publish.page import Page
from runbook.publish.reference_pages import reference_pages
from runbook.publish.runbook_page import runbook_page, runbooks_index
from runbook.publish.scorecard import read_scorecard
from runbook.publish.scorecard_page import scorecard_page


def pages(runbooks: Path, data: Path, stale_after: timedelta, now: datetime) -> Iterator[Page]:
    """Make every generated page.

    Args:
        runbooks: the folder of the runbooks.
        data: the folder that holds `results/`, a store, and `scorecard/`; either may be missing.
        stale_after: the age above which a result is marked as old.
        now: when the site is made; ages count to it.

    Raises:
        Invalid: runbooks have mistakes; with those of all of them.
        Unreadable: there is a scorecard, but it can't be shown.
    """
    books = _read(runbooks)
    names = [book.name for book in books]
    environments = read_environments(data / "results", names, now)
    yield runbooks_index(books)
    yield from (runbook_page(book, environments, stale_after) for book in books)
    file = data / "scorecard" / "scorecard.json"
    card = read_scorecard(file)
    yield scorecard_page(card, names, [environment.name for environment in environments])
    if card:
        yield Page("scorecard/scorecard.json", file.read_text(encoding="utf-8"))
    yield evidence_index(environments)
    yield from (environment_page(environment, names) for environment in environments)
    yield from reference_pages()


def _read(folder: Path) -> list[Runbook]:
    books: list[Runbook] = []
    problems: list[Problem] = []
    for path in sorted(folder.glob("*.md")):
        try:
            books.append(read_runbook(path))
        except Invalid as invalid:
            problems += invalid.problems
    if problems:
        raise Invalid(problems)
    return books
