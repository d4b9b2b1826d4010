"""The scorecard's first page: where everything stands, and what is new this week."""

from collections.abc import Collection, Mapping
from typing import Any

from runbook.publish.evidence_links import EvidenceLinks
from runbook.publish.heat_map import heat_rows
from runbook.publish.page import Page, fragment, heading
from runbook.publish.scorecard import Scorecard
from runbook.publish.scorecard_rows import ChangedVerdict, DrillRow, WaiverRow, rank
from runbook.publish.site_paths import built, checks_page, data_file
from runbook.publish.sparkline import WEEKS
from runbook.publish.trend_chart import LEAST_SPAN
from runbook.publish.week_pages import WeekView
from runbook.publish.when import oldest

HEAD = "---\ntitle: Scorecard\nhide: [navigation, toc]\n---\n\n"

MOST = 100
"""So many lines of one kind are shown. Our judgement: nobody reads more; all of them are in the files to load."""

FEW = 10
"""Lines of one kind that are not folded away. Our judgement: as many as a phone shows on two screens."""

KINDS = {
    "newly_failing": "Newly failing",
    "fixed": "Fixed",
    "newly_unknown": "Newly unknown",
    "flapping": "Flapping",
}
WAIVERS = {"expired": "expired", "expiring": "expires soon", "unused": "unused"}
"""The states of waivers that are news, the most pressing first."""


def index_page(card: Scorecard, view: WeekView, published: Collection[str], marks: Mapping[str, str]) -> Page:
    """Make the page.

    Args:
        card: what it shows.
        view: its week, and where more is said of it.
        published: runbooks that have a page to link to.
        marks: what marks runbooks that are not built in as they are; their columns come first.
    """
    runbooks = sorted(card.runbooks, key=lambda name: name not in marks)
    columns = [(name, _below(checks_page(name)), marks.get(name, "")) for name in runbooks]
    rows = heat_rows(card, view.summary, runbooks, view.owners)
    heat = fragment(
        "heat_map.html",
        card=card,
        columns=columns,
        rows=rows,
        weeks=WEEKS,
        span=LEAST_SPAN,
        oldest=oldest(
            row.whole.last_at for row in rows if row.whole and row.whole.last_at is not None and not row.silent
        ),
        owned=any(row.owner for row in rows),
        downloads=_downloads(),
    )
    news = fragment(
        "news.html",
        card=card,
        few=FEW,
        groups=_groups(card, view.links),
        new=[name for name in card.environments if card.is_new(name)],
        **_other_news(card, view.links),
        **shared(published),
    )
    parts = [
        f"{HEAD}# {heading(view.summary.headline)}",
        view.top(),
        "## Fix first",
        view.first(),
        "## Environments",
        heat,
        "## What changed this week",
        news,
    ]
    return Page("scorecard/index.md", "\n\n".join(parts) + "\n")


def shared(published: Collection[str], root: str = "../") -> dict[str, Any]:
    """What every page of the scorecard tells its templates; `root` is the way up from the page."""
    return {"published": published, "root": root, "most": MOST, "waiver_words": WAIVERS | {"in_force": "in force"}}


def _groups(card: Scorecard, links: EvidenceLinks) -> list[dict[str, Any]]:
    groups = []
    for kind, words in KINDS.items():
        rows = sorted((row for row in card.tables.changes if row.change == kind), key=_worst_first)
        linked = [(row, links.result(row.environment, row.runbook, row.check, row.subject)) for row in rows[:MOST]]
        groups.append({"words": words, "kind": kind, "count": len(rows), "rows": linked})
    return groups


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


def _downloads() -> list[tuple[str, str]]:
    names = ("scores", "trend", "failing", "changes", "checks", "waivers", "drills", "definitions")
    return [(name, _below(data_file(name))) for name in names]


def runbook_of(check: str) -> str:
    """The runbook of a check's global name."""
    return check.partition("/")[0]


def _below(page: str) -> str:
    return built(page).removeprefix("scorecard/")


def _worst_first(row: ChangedVerdict | DrillRow) -> tuple[int, str, str, str]:
    return -rank(row.severity), row.environment, row.check, row.subject


def _pressing(row: WaiverRow) -> tuple[int, str, str, str]:
    return list(WAIVERS).index(row.state), row.expires, row.environment, row.check
