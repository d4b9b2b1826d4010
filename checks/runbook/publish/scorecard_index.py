"""The scorecard's first page: where everything stands, and what is new this week."""

from collections.abc import Collection, Mapping

from runbook.publish.heat_map import heat_rows
from runbook.publish.page import Page, fragment, heading
from runbook.publish.scorecard import Scorecard
from runbook.publish.scorecard_changes import newest
from runbook.publish.site_paths import built, checks_page, data_file
from runbook.publish.sparkline import WEEKS
from runbook.publish.trend_chart import LEAST_SPAN
from runbook.publish.week_pages import WeekView
from runbook.publish.when import oldest

HEAD = "---\ntitle: Scorecard\nhide: [navigation, toc]\n---\n\n"


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
    parts = [
        f"{HEAD}# {heading(view.summary.headline)}",
        view.top(),
        "## Fix first",
        view.first(),
        "## Environments",
        heat,
        "## What changed this week",
        newest(card, view.links, published),
    ]
    return Page("scorecard/index.md", "\n\n".join(parts) + "\n")


def _downloads() -> list[tuple[str, str]]:
    names = ("scores", "trend", "failing", "changes", "checks", "waivers", "drills", "definitions")
    return [(name, _below(data_file(name))) for name in names]


def _below(page: str) -> str:
    return built(page).removeprefix("scorecard/")
