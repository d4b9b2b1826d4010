"""The scorecard's file: what of it the site shows."""

from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from runbook.model.block import SEVERITIES
from runbook.model.errors import UsageError
from runbook.model.scorecard import ALL, FORMAT
from runbook.publish.scorecard_rows import (
    ChangedVerdict,
    CheckRow,
    DefinitionChange,
    DrillRow,
    Failing,
    Score,
    Trend,
    WaiverRow,
)

_NOTHING_CAME = ("none", "silent", None)


class Unreadable(UsageError):  # noqa: N818 - reads as a verdict on the file
    """The scorecard can't be shown; the message says why, and what to do."""


class Tables(Struct):
    """The tables that the site shows, each of the last week but `trend` and `definitions`."""

    scores: list[Score]
    failing: list[Failing]
    trend: list[Trend]
    changes: list[ChangedVerdict]
    checks: list[CheckRow]
    waivers: list[WaiverRow]
    drills: list[DrillRow]
    definitions: list[DefinitionChange]


class Method(Struct):
    """How the numbers came about."""

    version: str
    least_coverage: float
    weights: dict[str, int] = field(default_factory=dict)


class Scorecard(Struct, dict=True):
    """The whole file; what is not named here is not shown.

    Attributes:
        generated: whether its results were made up, to have something to look at.
    """

    format: int
    method: Method
    as_of: str
    week: str
    environments: list[str]
    runbooks: list[str]
    counts: dict[str, int]
    tables: Tables
    generated: bool = False
    quarantine: list[dict[str, Any]] = field(default_factory=list)

    @cached_property
    def _scores(self) -> dict[tuple[str, str, str], Score]:
        return {
            (score.environment, score.runbook, score.severity): score
            for score in self.tables.scores
            if score.week == self.week
        }

    def cell(self, environment: str, runbook: str, severity: str = ALL) -> Score | None:
        """A score of the last week; None if there is no such row."""
        return self._scores.get((environment, runbook, severity))

    def failed(self, environment: str, runbook: str = ALL) -> dict[str, int]:
        """How many checks fail in the last week, without the waived: severity -> count, the gravest first."""
        runbooks = self.runbooks if runbook == ALL else [runbook]
        counts = {
            severity: sum(cell.failed for name in runbooks if (cell := self.cell(environment, name, severity)))
            for severity in reversed(SEVERITIES)
        }
        return {severity: count for severity, count in counts.items() if count}

    def silent(self) -> list[str]:
        """The environments from which nothing came in the last week."""
        cells = ((name, self.cell(name, ALL)) for name in self.environments)
        return [name for name, cell in cells if cell is None or cell.status == "silent"]

    def worst_fall(self) -> str:
        """The environment whose score fell most against the week before, and by how much; empty where none fell."""
        cells = (self.cell(name, ALL) for name in self.environments)
        fell = [(cell.change, cell.environment) for cell in cells if cell and cell.change and cell.change < 0]
        change, name = min(fell, default=(0.0, ""))
        return f"{name} ↓ {-change:g}" if fell else ""

    def scored_at(self) -> list[str]:
        """The start of the last scored run of each environment that ever had one."""
        cells = (self.cell(name, ALL) for name in self.environments)
        return [cell.last_at for cell in cells if cell and cell.last_at is not None]

    def trend(self, environment: str, runbook: str = ALL) -> Trend | None:
        """The weeks of an environment and a runbook; None if there is no such row."""
        found = (row for row in self.tables.trend if (row.environment, row.runbook) == (environment, runbook))
        return next(found, None)

    def last_week_of(self, environment: str) -> str | None:
        """The last of the weeks shown in which anything came from an environment; None of none."""
        trend = self.trend(environment)
        weeks = zip(trend.weeks, trend.status, strict=True) if trend else ()
        return max((week for week, status in weeks if status not in _NOTHING_CAME), default=None)

    def began_before(self, environment: str, since_week: str) -> bool:
        """Whether what began in a week may be older: nothing is known of an environment before it."""
        trend = self.trend(environment)
        known = zip(trend.weeks, trend.status, strict=True) if trend else ()
        return since_week == next((week for week, status in known if status != "none"), None)

    def is_new(self, environment: str) -> bool:
        """Whether the last week is the first, of those shown, in which anything came from an environment."""
        trend = self.trend(environment)
        if trend is None:
            return False
        *earlier, last = [status not in _NOTHING_CAME for status in trend.status]
        return last and not any(earlier)

    def is_first_week(self) -> bool:
        """Whether nothing came from anywhere in a week before the last, so that there is nothing to compare it with."""
        before = {
            status
            for trend in self.tables.trend
            if trend.runbook == ALL
            for week, status in zip(trend.weeks, trend.status, strict=True)
            if week != self.week
        }
        return bool(self.tables.trend) and before <= {*_NOTHING_CAME}

    def redefined_now(self) -> list[DefinitionChange]:
        """The definitions that changed in the last week."""
        return [row for row in self.tables.definitions if row.week == self.week]


class _Head(Struct):
    format: int


def read_scorecard(file: Path) -> Scorecard | None:
    """Read a scorecard; None if there is none.

    Raises:
        Unreadable: it is no scorecard of a form known here.
    """
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unreadable(f"{file} can't be read: {error.strerror}; check its rights") from error
    try:
        found = msgspec.json.decode(content, type=_Head).format
        if found != FORMAT:
            raise Unreadable(f"{file} has format {found}, this version reads {FORMAT}: write it again")
        return msgspec.json.decode(content, type=Scorecard)
    except msgspec.DecodeError as error:
        raise Unreadable(f"{file} is no scorecard: {error}; write it again with runbook scorecard") from error
