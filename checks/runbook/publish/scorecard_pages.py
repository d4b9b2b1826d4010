"""Every page and file that shows the scorecard."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from runbook.model.scorecard import ALL
from runbook.publish.badge import badge
from runbook.publish.evidence import EnvironmentEvidence
from runbook.publish.first_steps import FirstStep
from runbook.publish.page import Page, fragment
from runbook.publish.scorecard import Scorecard
from runbook.publish.scorecard_changes import changes_page
from runbook.publish.scorecard_checks import checks_page
from runbook.publish.scorecard_data import data_files
from runbook.publish.scorecard_environment import environment_page
from runbook.publish.scorecard_index import index_page
from runbook.publish.site_paths import badge_file, trend_file
from runbook.publish.trend_chart import PALETTES, TrendChart
from runbook.publish.week_pages import week_pages, week_view
from runbook.publish.week_summary import WeekSummary


def scorecard_pages(
    card: Scorecard | None,
    environments: Sequence[EnvironmentEvidence],
    published: Collection[str],
    marks: Mapping[str, str] | None = None,
    steps: Mapping[str, FirstStep] | None = None,
    kept: Sequence[WeekSummary] = (),
) -> Iterator[Page]:
    """Make the pages, pictures and files of the scorecard.

    Args:
        card: None if there is no scorecard yet; the page says so.
        environments: whose evidence the site shows.
        published: runbooks that have a page.
        marks: what marks those that are not built in as they are, by their names.
        steps: what runbooks say to do first about checks and causes, by their names.
        kept: earlier weeks, as they were published.
    """
    if card is None:
        yield Page("scorecard/index.md", f"# Scorecard\n\n{fragment('no_scorecard.html')}\n")
        return
    view = week_view(card, environments, steps)
    links = view.links
    yield index_page(card, view, published, marks or {})
    yield changes_page(card, links, published)
    yield from week_pages(card, view, kept)
    for name in card.environments:
        yield environment_page(card, name, view, published)
        standing = view.standing(name)
        silent = standing.silent_words if standing and standing.status == "silent" else ""
        yield Page(badge_file(name), badge(name, card.cell(name, ALL), silent=silent, generated=card.generated))
    yield from (checks_page(card, runbook, links, published) for runbook in card.runbooks)
    yield from data_files(card)
    yield from _trends(card)


def _trends(card: Scorecard) -> Iterator[Page]:
    shown = [(name, trend) for name in card.environments if (trend := card.trend(name)) and trend.drawn]
    if not shown:
        return
    chart = TrendChart()
    for name, trend in shown:
        for palette, colours in PALETTES.items():
            yield Page(trend_file(name, palette), chart.draw(trend, colours, generated=card.generated))
