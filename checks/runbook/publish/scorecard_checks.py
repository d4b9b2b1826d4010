"""What the scorecard says of the checks of one runbook, over all environments."""

from collections.abc import Collection, Sequence

from runbook.publish.evidence_links import EvidenceLinks
from runbook.publish.page import UNSEARCHED, Page, fragment, title
from runbook.publish.scorecard import Scorecard
from runbook.publish.scorecard_changes import shared
from runbook.publish.scorecard_rows import CheckRow, rank
from runbook.publish.site_paths import built, environment_page, result_anchor
from runbook.publish.site_paths import checks_page as path_of

FEW = 3  # lines that a page does not fold; our judgement: what one reads at once


def checks_page(card: Scorecard, runbook: str, links: EvidenceLinks, published: Collection[str]) -> Page:
    """Make the page: where each check fails, since when, and how long a fix takes."""
    rows = sorted((row for row in card.tables.checks if row.runbook == runbook), key=_worst_first)
    values = shared(published, "../../")
    parts = [
        title(f"Checks of {runbook}"),
        fragment("checks.html", card=card, runbook=runbook, few=FEW, **_halves(rows), **values),
    ]
    failing = [(row, _place(row), _where(row, links)) for row in rows if row.failing_in]
    definitions = [row for row in card.tables.definitions if row.runbook == runbook]
    parts += ["## Where they fail", fragment("check_places.html", card=card, rows=failing, few=FEW, **values)]
    parts += ["## Definitions that changed", fragment("definitions.html", rows=definitions, **values)]
    return Page(path_of(runbook), UNSEARCHED + "\n\n".join(parts) + "\n")


def _halves(rows: Sequence[CheckRow]) -> dict[str, list[tuple[CheckRow, str]]]:
    """The checks that fail or are unknown somewhere, and those that no environment fails, which a page may fold."""
    told: dict[str, list[tuple[CheckRow, str]]] = {"telling": [], "quiet": []}
    for row in rows:
        telling = row.failing or row.waived or row.unknown
        told["telling" if telling else "quiet"].append((row, _place(row)))
    return told


def _worst_first(row: CheckRow) -> tuple[int, str, str]:
    """By what is seen of it: its severity, then its title, as a check's id is not shown where it has one."""
    return -rank(row.severity), (row.title or row.check).casefold(), row.check


def _place(row: CheckRow) -> str:
    return result_anchor(row.check, "places")


def _where(row: CheckRow, links: EvidenceLinks) -> list[tuple[object, str, str]]:
    return [
        (
            place,
            built(environment_page(place.environment)),
            links.result(place.environment, row.runbook, row.check, place.subject),
        )
        for place in row.failing_in
    ]
