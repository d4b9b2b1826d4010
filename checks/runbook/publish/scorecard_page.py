"""The scorecard as a page: a heat map, and what fails, each with its evidence one click away."""

from collections.abc import Collection

from runbook.publish.page import Page, anchor, fragment
from runbook.publish.scorecard import ALL, Failing, Scorecard
from runbook.publish.site_paths import evidence_page


def scorecard_page(card: Scorecard | None, published: Collection[str], evidenced: Collection[str]) -> Page:
    """Make the scorecard's page.

    Args:
        card: None if there is no scorecard yet; the page says so.
        published: runbooks that have a page.
        evidenced: environments that have a page of evidence.
    """
    if card is None:
        return Page("scorecard/index.md", f"# Scorecard\n\n{fragment('no_scorecard.html')}\n")
    columns = [ALL, *card.runbooks]
    table = [
        (name, _evidence(name, evidenced), [(column, card.cell(name, column)) for column in columns])
        for name in card.environments
    ]
    heat = fragment("heat_map.html", card=card, table=table, published=published)
    rows = [(failing, f"{_evidence(failing.environment, evidenced)}#{_place(failing)}") for failing in _open(card)]
    failing = fragment("failing.html", rows=rows, published=published, evidenced=evidenced)
    return Page("scorecard/index.md", f"# Scorecard\n\n{heat}\n\n## What fails\n\n{failing}\n")


def _open(card: Scorecard) -> list[Failing]:
    """What fails, the waived last; otherwise in the order of the scorecard: the worst and oldest first."""
    return sorted(card.tables.failing, key=lambda failing: failing.waived)


def _evidence(environment: str, evidenced: Collection[str]) -> str:
    return f"../{evidence_page(environment).removesuffix('.md')}.html" if environment in evidenced else ""


def _place(failing: Failing) -> str:
    return anchor(f"{failing.check}-{failing.subject}")
