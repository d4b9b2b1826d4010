"""The lines of a run's file: these records are written, and these are read.

A reader decodes either what was written (`Whole…`) or only what it needs of it, which costs half and takes what a later
release says in the rest. Lines of every version up to ours are read; new fields have defaults.
"""

import datetime as dt
from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Meta, Struct, field

from runbook.model.block import Severity
from runbook.model.result import Common, Outcome, Result, WaiverUse
from runbook.model.run import VERSION, DeclaredWaivers, Head, NamedCause, Run, Trigger, named_causes

_Text = Annotated[str, Meta(min_length=1)]
_Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]


class RowLine(Struct, frozen=True):
    """An offending or undecided row, as the scorecard shows it."""

    key: dict[str, Any]
    message: str
    outcome: str = "fail"
    waived: bool = False


class ExpectedLine(Struct, frozen=True, order=True):
    """A check that the run was to judge, or judged; fields in the order in which two of one name are compared."""

    runbook: _Text
    check: _Text
    severity: Severity
    check_digest: _Text
    runbook_version: str = ""


class RunLine(Struct, frozen=True, kw_only=True, tag_field="kind", tag="run"):
    """The first line, as far as all of its readers need it. Files of version 1 have no `generated` and no waivers."""

    run: _Text
    environment: _Text
    started_at: _Text
    trigger: Trigger
    version: _Count
    complete: bool
    interrupted: bool
    expected: list[ExpectedLine]
    generated: bool = False
    rejudged: bool = False
    head: DeclaredWaivers = field(default_factory=DeclaredWaivers)
    named_causes: list[NamedCause] = []

    @property
    def scored(self) -> bool:
        """Whether it counts: scheduled, over all checks of its runbooks, looked at by itself, and not stopped."""
        return self.trigger == "scheduled" and self.complete and not self.interrupted and not self.rejudged

    @property
    def started(self) -> dt.datetime:
        """Its start."""
        return dt.datetime.fromisoformat(self.started_at)


class WholeRunLine(RunLine, frozen=True, kw_only=True, tag="run"):
    """The first line, as it is written: what was asked, of what, and what the environment said of itself."""

    tool_version: str
    took_ms: int = 0
    head: Head


class ResultLine(Struct, frozen=True, kw_only=True, tag_field="kind", tag="result"):
    """One check, one subject: what a scorecard takes of it. To decode the rest would double the time of a line."""

    run: _Text
    environment: _Text
    check: _Text
    subject: _Text
    outcome: Outcome
    waived: bool
    severity: Severity
    reason: _Text
    title: _Text
    runbook: _Text
    runbook_version: _Text
    check_digest: _Text
    judged: _Count
    failed: _Count
    rows: list[RowLine]
    common: list[Common]
    waiver: WaiverUse | None = None
    proof: str = "observed"
    unobserved: bool = False


class WholeResultLine(Result, kw_only=True, tag_field="kind", tag="result"):
    """The same line, as it is written: a result, and the run that it comes from."""

    run: str
    started_at: str
    trigger: Trigger
    waived: bool


class ManifestLine(Struct, frozen=True, kw_only=True, tag_field="kind", tag="manifest"):
    """The last line: how many lines come before it."""

    run: _Text
    environment: _Text
    records: _Count
    started_at: str = ""
    trigger: str = ""


def lines_of(run: Run, head: Head) -> Iterator[WholeRunLine | WholeResultLine | ManifestLine]:
    """The lines of a run about one environment, in their order."""
    yield WholeRunLine(
        run=run.id,
        environment=head.environment,
        started_at=run.started_at,
        trigger=run.trigger,
        version=VERSION,
        tool_version=run.tool_version,
        complete=run.complete,
        interrupted=run.interrupted,
        generated=run.generated,
        rejudged=run.rejudged,
        took_ms=run.took_ms,
        head=head,
        expected=[
            ExpectedLine(
                expected.runbook, expected.check, expected.severity, expected.check_digest, expected.runbook_version
            )
            for expected in run.expected
        ],
        named_causes=[*named_causes(run, head.environment)],
    )
    results = [result for result in run.results if result.environment == head.environment]
    for result in results:
        said: dict[str, Any] = {name: getattr(result, name) for name in Result.__struct_fields__}
        yield WholeResultLine(run=run.id, started_at=run.started_at, trigger=run.trigger, waived=result.waived, **said)
    yield ManifestLine(
        run=run.id,
        environment=head.environment,
        started_at=run.started_at,
        trigger=run.trigger,
        records=1 + len(results),
    )
