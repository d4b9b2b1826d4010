"""Outcomes and results: what a run says about one check and one subject."""

from enum import StrEnum
from typing import Any, Literal, NamedTuple

from msgspec import Struct, field

from runbook.model.block import Objective, Severity
from runbook.model.fact import Gap
from runbook.model.gap_kind import GapKind
from runbook.model.probe import Proof


class Outcome(StrEnum):
    """What a check found out. There is no default."""

    PASS = "pass"  # noqa: S105 - an outcome, not a password
    FAIL = "fail"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not_applicable"


class JudgedRow(Struct, frozen=True):
    """A row that offends, or that could not be judged.

    Attributes:
        key: the row's key columns.
        message: what is wrong with it.
        outcome: fail or unknown.
        touches: entity -> the values of it that the row is about.
        waived: whether a waiver names the row.
        place: where a file has what it is about, as FILE:LINE:COLUMN; empty where no file does.
    """

    key: dict[str, Any]
    message: str
    outcome: Literal["fail", "unknown"] = "fail"
    touches: dict[str, list[Any]] = {}
    waived: bool = False
    place: str = ""


class Doubt(NamedTuple):
    """Why something could not be judged, and whether only because a cause withholds what would tell."""

    says: str
    withheld: bool = False

    def after(self, text: str) -> "Doubt":
        """The same, said after a text."""
        return Doubt(text + self.says, self.withheld)


class Verdict(Struct):
    """What judging gives, before waivers: outcome, its reason, its rows.

    Attributes:
        outcome: see Outcome.
        reason: one sentence.
        rows: offending rows, then rows that could not be judged; at most MAX_ROWS of them.
        judged: how many rows were judged.
        failed: how many of them offend.
        undecided: how many could not be judged.
        gaps: what the facts did not show.
        doubts: why rows could not be judged, or whether the check applies, each once.
        remedy: of the check, without what the offending rows have already; "" where none offends.
    """

    outcome: Outcome
    reason: str
    rows: list[JudgedRow] = field(default_factory=list)
    judged: int = 0
    failed: int = 0
    undecided: int = 0
    gaps: list[Gap] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    remedy: str = ""

    @property
    def unobserved(self) -> bool:
        """Whether it is unknown and needs what nobody looks at by declaration.

        So it is where it lacks more, too: with that it would still be unknown.
        """
        return self.outcome is Outcome.UNKNOWN and any(gap.kind is GapKind.UNOBSERVED for gap in self.gaps)


class Evidence(Struct, frozen=True):
    """A fact a verdict rests on: enough to find it in a bundle and to compare it."""

    name: str
    source: str
    digest: str
    rows: int
    complete: bool
    collected_at: str


class Common(Struct, frozen=True):
    """A value that (nearly) all offending rows and gaps share."""

    entity: str
    value: str
    touched: int
    of: int


class WaiverUse(Struct, frozen=True):
    """What excuses rows of a result: the waiver in force, a commit that has them, too, or both.

    Attributes:
        owner, reason, expires: of the waiver; empty without one.
        rows: how many rows are excused.
        base: the commit of `--base`; empty without one.
    """

    owner: str
    reason: str
    expires: str
    rows: int
    base: str = ""


class Result(Struct, kw_only=True):
    """One check, one subject, one run.

    Attributes:
        check: its global name, RUNBOOK/ID.
        environment: where it was asked; `fleet` if it is about all of them.
        outcome: what was found out, before any waiver.
        reason: one sentence.
        rows: those that offend, then those that could not be judged; capped.
        title, severity, consequence, objectives, remedy: of the check; no consequence where its severity stands alone.
        subject: what it is about: an environment, a link between two, or the fleet.
        subject_kind: which of the three.
        judged: how many rows were judged.
        failed: how many of them offend.
        undecided: how many could not be judged.
        gaps: what the facts did not show.
        common: what (nearly) all offending rows share.
        waiver: the one in force, if any.
        ranking: the objectives in force, the most important first.
        params: the values it was judged with.
        overridden: those of them that the environment set.
        proof: how it knows.
        evidence: the facts it rests on.
        runbook, runbook_version, runbook_digest: the runbook, and SHA-256 of its text.
        check_digest: SHA-256 of what the check says; results of other digests can't be compared.
        unobserved: whether it is unknown and needs what the inventory says that nobody looks at.
    """

    check: str
    environment: str
    outcome: Outcome
    reason: str
    rows: list[JudgedRow]
    title: str
    severity: Severity
    objectives: list[Objective]
    subject: str
    subject_kind: Literal["environment", "link", "fleet"]
    judged: int
    failed: int
    undecided: int
    gaps: list[Gap]
    common: list[Common]
    waiver: WaiverUse | None
    ranking: list[Objective]
    params: dict[str, Any]
    overridden: list[str]
    proof: Proof
    remedy: str
    evidence: list[Evidence]
    runbook: str
    runbook_version: str
    runbook_digest: str
    check_digest: str
    unobserved: bool = False
    consequence: str = ""

    @property
    def is_unknown(self) -> bool:
        """Whether it could not be found out, and somebody should: it is not left unobserved by declaration."""
        return self.outcome is Outcome.UNKNOWN and not self.unobserved

    @property
    def waived(self) -> bool:
        """Whether a waiver takes this failure out of the count."""
        return self.outcome is Outcome.FAIL and self.waiver is not None and self.waiver.rows == self.failed

    @property
    def known(self) -> bool:
        """Whether this failure is out of the count as a commit has it, too."""
        return self.waived and self.waiver is not None and self.waiver.base != ""
