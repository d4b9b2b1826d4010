"""What changed in a scorecard since the week before: a page of its own, and the newest failures for the first page."""

from collections.abc import Collection
from typing import Any

from markupsafe import Markup

from runbook.publish.evidence_links import EvidenceLinks
from runbook.publish.page import UNSEARCHED, Page, fragment
from runbook.publish.scorecard import Scorecard
from runbook.publish.scorecard_rows import ChangedVerdict, DrillRow, WaiverRow, rank
from runbook.publish.site_paths import CHANGES_PAGE, built, checks_page, environment_page

MOST = 100
"""So many lines of one kind are shown. Our judgement: nobody reads more; all of them are in the files to load."""

FEW = 10
"""Lines of what newly fails on the first page. Our judgement: as many as a phone shows on two screens."""

SHOWN = 5
"""Lines of one kind that are not folded away on the page of changes. Our judgement: one reads no more of six kinds."""

_FAILING = "newly_failing"
KINDS = {_FAILING: "Newly failing", "fixed": "Fixed", "newly_unknown": "Newly unknown", "flapping": "Flapping"}
WAIVERS = {"expired": "expired", "expiring": "expires soon", "unused": "unused"}
"""The states of waivers that are news, the most pressing first."""


def changes_page(card: Scorecard, links: EvidenceLinks, published: Collection[str]) -> Page:
    """Make the page of all that changed.

    Args:
        card: what it shows.
        links: where the evidence is.
        published: runbooks that have a page to link to.
    """
    news = fragment(
        "news.html",
        card=card,
        few=SHOWN,
        groups=[_group(card, kind, links, MOST) for kind in KINDS],
        new=_new(card),
        **_other_news(card, links),
        **shared(published),
    )
    head = UNSEARCHED.replace("---\n\n", "title: What changed\nhide: [navigation, toc]\n---\n\n")
    return Page(CHANGES_PAGE, f"{head}# What changed in week {card.week}\n\n{news}\n")


def newest(card: Scorecard, links: EvidenceLinks, published: Collection[str]) -> Markup:
    """The worst of what newly fails, and the way to the page of all changes."""
    group = _group(card, _FAILING, links, FEW)
    return fragment("newest.html", group=group, page=_below(CHANGES_PAGE), few=FEW, new=_new(card), **shared(published))


def shared(published: Collection[str], root: str = "../") -> dict[str, Any]:
    """What every page of the scorecard tells its templates; `root` is the way up from the page."""
    said = {"waiver_words": WAIVERS | {"in_force": "in force"}, "home": lambda name: built(environment_page(name))}
    return {"published": published, "root": root, "most": MOST, **said}


def _new(card: Scorecard) -> list[str]:
    return [name for name in card.environments if card.is_new(name)]


def _group(card: Scorecard, kind: str, links: EvidenceLinks, most: int) -> dict[str, Any]:
    rows = sorted((row for row in card.tables.changes if row.change == kind), key=_worst_first)
    linked = [(row, links.result(row.environment, row.runbook, row.check, row.subject)) for row in rows[:most]]
    return {"words": KINDS[kind], "kind": kind, "count": len(rows), "rows": linked}


def _other_news(card: Scorecard, links: EvidenceLinks) -> dict[str, Any]:
    waivers = sorted((row for row in card.tables.waivers if row.state in WAIVERS), key=_pressing)
    drills = sorted(card.tables.drills, key=_worst_first)
    return {
        "waivers": [(row, links.runbook(row.environment, runbook_of(row.check))) for row in waivers],
        "drills": [
            (row, links.result(row.environment, runbook_of(row.check), row.check, row.subject)) for row in drills
        ],
        "definitions": [(row, _below(checks_page(row.runbook))) for row in card.redefined_now()],
    }


def runbook_of(check: str) -> str:
    """The runbook of a check's global name."""
    return check.partition("/")[0]


def _below(page: str) -> str:
    return built(page).removeprefix("scorecard/")


def _worst_first(row: ChangedVerdict | DrillRow) -> tuple[int, str, str, str]:
    return -rank(row.severity), row.environment, row.check, row.subject


def _pressing(row: WaiverRow) -> tuple[int, str, str, str]:
    return list(WAIVERS).index(row.state), row.expires, row.environment, row.check
