"""The scorecard's file, as docs/reference/scorecard-files.md describes it: what of it the site shows."""

from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from runbook.engine.errors import UsageError

FORMAT = 1
ALL = "*"


class Unreadable(UsageError):  # noqa: N818 - reads as a verdict on the file
    """The scorecard can't be shown; the message says why, and what to do."""


class Score(Struct):
    """What one week says of an environment, a runbook and a severity; `*` stands for all."""

    week: str
    environment: str
    runbook: str
    severity: str
    status: Literal["scored", "unknown", "silent", "not_applicable"]
    score: float | None
    score_raw: float | None
    passed: int
    failed: int
    waived: int
    unknown: int
    missing: int
    not_applicable: int
    expected: int
    coverage: float | None
    last_at: str | None
    age_days: int | None
    change: float | None
    redefined: bool

    @property
    def shown(self) -> str:
        """The status under which the cell is shown: of its worst content."""
        if self.status == "scored":
            return "fail" if self.failed else "waived" if self.waived else "pass"
        return {"not_applicable": "not_applicable", "unknown": "unknown"}.get(self.status, "none")

    @property
    def arrow(self) -> str:
        """Its change against the week before, as a sign and in words."""
        if self.change is None:
            return ""
        if self.change == 0:
            return "→ unchanged"
        return f"↑ up {self.change:g}" if self.change > 0 else f"↓ down {-self.change:g}"


class Failing(Struct):
    """A check that fails in the last week."""

    environment: str
    check: str
    subject: str
    runbook: str
    severity: str
    title: str | None
    waived: bool
    reason: str
    failed: int
    since_week: str
    failing_days: int


class Tables(Struct):
    """The tables that the site shows."""

    scores: list[Score]
    failing: list[Failing]


class Method(Struct):
    """How the numbers came about."""

    version: str
    least_coverage: float


class Scorecard(Struct):
    """The whole file; what is not named here is not shown."""

    format: int
    method: Method
    as_of: str
    week: str
    environments: list[str]
    runbooks: list[str]
    counts: dict[str, int]
    tables: Tables
    quarantine: list[dict[str, Any]] = field(default_factory=list)

    def cell(self, environment: str, runbook: str) -> Score | None:
        """The score of all severities in the last week."""
        for score in self.tables.scores:
            if (score.week, score.environment, score.runbook, score.severity) == (
                self.week,
                environment,
                runbook,
                ALL,
            ):
                return score
        return None


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
        card = msgspec.json.decode(content, type=Scorecard)
    except msgspec.DecodeError as error:
        raise Unreadable(f"{file} is no scorecard: {error}; write it again with runbook scorecard") from error
    if card.format != FORMAT:
        raise Unreadable(f"{file} has format {card.format}, this version reads {FORMAT}: write it again")
    return card
