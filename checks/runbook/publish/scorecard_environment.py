"""What the scorecard says of one environment: its year, its numbers and how they came about, what fails and why."""

from collections.abc import Collection
from typing import Any

from runbook.model.scorecard import ALL
from runbook.publish.evidence_links import EvidenceLinks
from runbook.publish.page import UNSEARCHED, Page, fragment, title
from runbook.publish.score_sums import sums
from runbook.publish.scorecard import Scorecard
from runbook.publish.scorecard_changes import KINDS, runbook_of, shared
from runbook.publish.scorecard_rows import Failing, Trend, rank
from runbook.publish.site_paths import badge_file, number_anchor, trend_file
from runbook.publish.site_paths import environment_page as path_of
from runbook.publish.trend_chart import scale
from runbook.publish.week_pages import WeekView

ROOT = "../../"


def environment_page(card: Scorecard, name: str, view: WeekView, published: Collection[str]) -> Page:
    """Make the page of an environment; `published` names the runbooks that have a page to link to."""
    links, whose = view.links, {"owner": view.owners.of(name), "labels": view.owners.labels(name)}
    standing = view.standing(name)
    silent = standing if standing and standing.status == "silent" else None
    values = shared(published, ROOT) | {"card": card, "name": name, "silent": silent}
    parts = [
        title(name),
        fragment("score_head.html", badge=badge_file(name), evidence=links.environment(name), **whose, **values),
        "## The year",
        fragment("trend.html", **values, **_year(card, name)),
        "## What fails",
        fragment("failing.html", rows=_failing(card, name, links), because=links.because, **values),
        "## New this week",
        fragment("changes_here.html", kinds=KINDS, first=card.is_new(name), rows=_changes(card, name, links), **values),
        "## Waivers",
        fragment("waivers.html", rows=_waivers(card, name, links), **values),
        "## Drills overdue or not known",
        fragment("drills.html", rows=_drills(card, name, links), **values),
        "## How the numbers came about",
        *(_number(card, name, runbook, links, values) for runbook in (ALL, *card.runbooks)),
    ]
    return Page(path_of(name), UNSEARCHED + "\n\n".join(filter(None, parts)) + "\n")


def _year(card: Scorecard, name: str) -> dict[str, Any]:
    trend = card.trend(name)
    if trend is None:
        return {"trend": None}
    pictures = [(palette, trend_file(name, palette)) for palette in ("light", "dark") if trend.drawn]
    status = zip(trend.status, trend.shown, strict=True)
    weeks = list(zip(trend.weeks, status, trend.score, trend.score_raw, trend.coverage, trend.redefined, strict=True))
    low, high = scale(trend)
    return {
        "trend": trend,
        "pictures": pictures,
        "low": low,
        "high": high,
        "weeks": weeks[::-1],
        "described": describe(name, trend),
    }


def describe(name: str, trend: Trend) -> str:
    """Say in one sentence what the picture of a trend shows."""
    scored = [(week, score) for week, score in zip(trend.weeks, trend.score, strict=True) if score is not None]
    if not scored:
        return f"No week of {name} has a score."
    if len(scored) == 1:
        return f"One week of {name} has a score: {scored[0][1]:g} in {scored[0][0]}. The picture begins with the third."
    (lowest_week, lowest), (highest_week, highest) = min(scored, key=_score), max(scored, key=_score)
    without = sum(status in {"silent", "unknown", None} for status in trend.status)
    begun = next(place for place, status in enumerate(trend.status) if status != "none")
    gone = trend.status[begun:].count("none")
    marked = sum(bool(redefined) for redefined in trend.redefined)
    unsure = trend.redefined.count(None)
    doubt = f" (not known of {unsure})" if unsure else ""
    return (
        f"Score of {name} by week: {scored[0][1]:g} in {scored[0][0]}, {scored[-1][1]:g} in {scored[-1][0]}; "
        f"lowest {lowest:g} in {lowest_week}, highest {highest:g} in {highest_week}. "
        f"Weeks without a score, silent or unknown: {without}{f'; not expected: {gone}' if gone else ''}. "
        f"Weeks in which definitions changed: {marked}{doubt}."
    )


def _score(entry: tuple[str, float]) -> float:
    return entry[1]


def _failing(card: Scorecard, name: str, links: EvidenceLinks) -> list[tuple[Failing, str]]:
    rows = [row for row in card.tables.failing if row.environment == name]
    rows.sort(key=lambda row: (row.waived, -rank(row.severity), -row.failing_days, row.check, row.subject))
    return [(row, links.result(name, row.runbook, row.check, row.subject)) for row in rows]


def _changes(card: Scorecard, name: str, links: EvidenceLinks) -> list[tuple[Any, str]]:
    rows = [row for row in card.tables.changes if row.environment == name]
    rows.sort(key=lambda row: (list(KINDS).index(row.change), -rank(row.severity), row.check, row.subject))
    return [(row, links.result(name, row.runbook, row.check, row.subject)) for row in rows]


def _waivers(card: Scorecard, name: str, links: EvidenceLinks) -> list[tuple[Any, str]]:
    rows = [row for row in card.tables.waivers if row.environment == name]
    return [(row, links.runbook(name, runbook_of(row.check))) for row in sorted(rows, key=lambda row: row.expires)]


def _drills(card: Scorecard, name: str, links: EvidenceLinks) -> list[tuple[Any, str]]:
    rows = [row for row in card.tables.drills if row.environment == name]
    return [(row, links.result(name, runbook_of(row.check), row.check, row.subject)) for row in rows]


def _number(card: Scorecard, name: str, runbook: str, links: EvidenceLinks, values: dict[str, Any]) -> str:
    cell = card.cell(name, runbook)
    if cell is None:
        return fragment("no_number.html", **values, place=number_anchor(ALL)) if runbook == ALL else ""
    failing = [entry for entry in _failing(card, name, links) if runbook in {ALL, entry[0].runbook}]
    evidence = links.environment(name) if runbook == ALL else links.runbook(name, runbook)
    return fragment(
        "number.html",
        **values,
        cell=cell,
        place=number_anchor(runbook),
        sums=sums(card, name, runbook),
        failing=[] if runbook == ALL else failing,
        evidence=evidence,
        why_not=evidence if runbook == ALL else links.not_applicable(name, runbook),
    )
