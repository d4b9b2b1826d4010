"""The table of environments and runbooks: silent environments first, then those in which the gravest checks fail."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup
from msgspec import Struct

from runbook.model.scorecard import ALL
from runbook.publish.owners import Owners
from runbook.publish.scorecard import Scorecard
from runbook.publish.scorecard_rows import Score
from runbook.publish.site_paths import built, environment_page, number_anchor
from runbook.publish.sparkline import sparkline
from runbook.publish.week_summary import WeekStanding, WeekSummary

STEPS = ("critical", "high")
"""Severities with a step of colour of their own; the third, `lower`, is of all others."""


class HeatCell(Struct, frozen=True):
    """What fails of one runbook in an environment.

    Attributes:
        score: the row of the table; None where the runbook was not run.
        step: what is worst of what fails, which colours it; empty where nothing does.
        count: how many checks of that step fail.
        href: the place that says how the number came about.
    """

    score: Score | None
    step: str
    count: int
    href: str


class HeatRow(Struct, frozen=True):
    """An environment: where it stands, cell by cell, and its last weeks."""

    standing: WeekStanding
    href: str
    owner: str
    labels: Mapping[str, str]
    whole: Score | None
    cells: Sequence[HeatCell]
    weeks: Markup
    last_score: float | None

    @property
    def silent(self) -> bool:
        """Whether nothing came in the week."""
        return self.standing.status == "silent"

    @property
    def tags(self) -> str:
        """What the table can be narrowed to."""
        return "|".join(
            [*(f"{key}: {value}" for key, value in self.labels.items()), f"owner: {self.owner or 'not set'}"]
        )


def heat_rows(card: Scorecard, summary: WeekSummary, runbooks: Sequence[str], owners: Owners) -> list[HeatRow]:
    """The rows of the table, what is worst first."""
    return [_row(card, standing, runbooks, owners) for standing in summary.standings]


def _row(card: Scorecard, standing: WeekStanding, runbooks: Sequence[str], owners: Owners) -> HeatRow:
    name = standing.name
    href = built(environment_page(name)).removeprefix("scorecard/")
    trend = card.trend(name)
    scores = trend.score if trend else []
    return HeatRow(
        standing,
        href,
        owners.of(name),
        owners.labels(name),
        card.cell(name, ALL),
        [_cell(card, name, runbook, href) for runbook in runbooks],
        sparkline(scores),
        next((score for score in reversed(scores) if score is not None), None),
    )


def _cell(card: Scorecard, name: str, runbook: str, href: str) -> HeatCell:
    score, failed = card.cell(name, runbook), card.failed(name, runbook)
    grave = next((severity for severity in STEPS if failed.get(severity)), "")
    count = failed[grave] if grave else sum(failed.values())
    place = f"{href}#{number_anchor(runbook)}"
    if score is None:
        return HeatCell(None, "", 0, place)
    if score.failed and score.status in {"scored", "unknown"}:
        return HeatCell(score, grave or "lower", count or score.failed, place)
    return HeatCell(score, "", 0, place)
