"""Rows of the scorecard's tables, as docs/reference/scorecard-files.md describes them; other columns are not shown."""

from typing import Any, Literal

from msgspec import Struct, field

from runbook.model.block import SEVERITIES


def rank(severity: str) -> int:
    """How grave a severity is; one that nobody knows comes last."""
    return SEVERITIES.index(severity) if severity in SEVERITIES else -1


def _shown(status: str, failed: int, waived: int, *, unobserved: bool = False) -> str:
    if unobserved and status == "unknown" and not failed:
        return "unobserved"
    if failed and status in ("scored", "unknown"):
        return "fail"
    if status == "scored":
        return "waived" if waived else "pass"
    return {"not_applicable": "not_applicable", "unknown": "unknown"}.get(status, "none")


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
    unobserved: int = 0

    @property
    def shown(self) -> str:
        """The status under which the cell is shown: of its worst content; what failed is seen without a score, too."""
        return _shown(self.status, self.failed, self.waived, unobserved=self.unobserved > self.unknown + self.missing)

    @property
    def observed(self) -> int:
        """How many checks are known how they come out."""
        return self.passed + self.failed + self.waived

    @property
    def arrow(self) -> str:
        """Its change against the week before, as a sign and in words."""
        if self.change is None:
            return ""
        if self.change == 0:
            return "→ unchanged"
        return f"↑ up {self.change:g}" if self.change > 0 else f"↓ down {-self.change:g}"

    @property
    def applies(self) -> int:
        """How many checks count."""
        return self.expected - self.not_applicable

    @property
    def complies(self) -> int:
        """How many of them comply, those under a waiver too."""
        return self.passed + self.waived


class Trend(Struct):
    """The weeks of an environment and a runbook: lists of one length, one entry a week."""

    environment: str
    runbook: str
    weeks: list[str]
    status: list[str | None]
    score: list[float | None]
    score_raw: list[float | None]
    coverage: list[float | None]
    redefined: list[bool | None]
    failed: list[int | None] = []
    waived: list[int | None] = []

    @property
    def shown(self) -> list[str | None]:
        """The status under which each week is shown, as that of a score; None where it is not known what failed.

        Files of earlier versions tell it of no week.
        """
        unknown: list[int | None] = [None] * len(self.weeks)
        counts = zip(self.status, self.failed or unknown, self.waived or unknown, strict=True)
        return [
            None if status is None or failed is None or waived is None else _shown(status, failed, waived)
            for status, failed, waived in counts
        ]

    @property
    def drawn(self) -> bool:
        """Whether there is anything to draw: below three weeks that have a score no line shows where it goes."""
        return sum(score is not None for score in self.score) > 2  # noqa: PLR2004 - as it says


class Failing(Struct):
    """A check that fails in the last week; `rows`, `common` and `waiver` as a result holds them."""

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
    since_at: str
    failing_days: int
    run: str | None = None
    run_at: str | None = None
    rows: list[dict[str, Any]] = field(default_factory=list)
    common: list[dict[str, Any]] = field(default_factory=list)
    waiver: dict[str, Any] | None = None


class ChangedVerdict(Struct):
    """What is new in the last week about a check and a subject."""

    environment: str
    check: str
    subject: str
    change: Literal["newly_failing", "fixed", "newly_unknown", "flapping"]
    runbook: str
    severity: str
    title: str | None
    before: str | None
    now: str | None
    waived: bool
    reason: str | None
    run: str | None
    run_at: str | None
    flips: int


class FailingEnvironment(Struct):
    """An environment in which a check fails."""

    environment: str
    subject: str
    since_week: str
    failing_days: int
    waived: bool


class CheckRow(Struct):
    """A check over all environments."""

    check: str
    runbook: str
    severity: str
    title: str | None
    applicable: int
    passing: int
    failing: int
    waived: int
    unknown: int
    fixes: int
    median_fix_days: float | None
    oldest_days: int | None
    failing_in: list[FailingEnvironment]


class WaiverRow(Struct):
    """A waiver that an environment declares."""

    environment: str
    check: str
    owner: str
    reason: str
    expires: str
    rows: str
    state: Literal["in_force", "expiring", "expired", "unused"]
    days_left: int | None
    run: str | None = None
    run_at: str | None = None


class DrillRow(Struct):
    """A check that only an exercise proves, and that does not pass."""

    environment: str
    check: str
    subject: str
    severity: str
    title: str | None
    outcome: str
    reason: str | None
    run_at: str | None
    age_days: int | None


class DefinitionChange(Struct):
    """A check whose definition is not that of the week before."""

    week: str
    check: str
    runbook: str
    environments: int
    runbook_version: str | None
    before_version: str | None
