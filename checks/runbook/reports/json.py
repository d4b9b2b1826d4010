"""The run as one JSON document, for programs. Its fields are described in docs/reference/report-json.md."""

import json
from typing import Any

import msgspec
from msgspec import Struct

from runbook.judge.common_cause import Shared, common_of_run
from runbook.judge.summary import RunSummary, summarize
from runbook.model.diagnosis import Diagnosis, of_environment
from runbook.model.exit_code import exit_code
from runbook.model.result import Result
from runbook.model.run import Head, Run, Trigger
from runbook.parse.schema import json_schema
from runbook.reports import ErrorSays, ReportOptions, Source

FORMAT = 1  # raised when a field changes its meaning or goes away; new fields do not raise it


class About(Struct, frozen=True):
    """What was run, when and why. Times are RFC 3339 UTC and milliseconds."""

    id: str
    tool_version: str
    trigger: Trigger
    complete: bool
    started_at: str
    took_ms: int
    deadline_ms: int
    loading_ms: int
    interrupted: bool


class EnvironmentReport(Head, kw_only=True):
    """What one environment said of itself, with the count of its results, what its findings have in common, and why.

    Attributes:
        diagnosis: what explains its failures; null where nothing is wrong, or no cause was looked for.
    """

    summary: RunSummary
    common: list[Shared]
    diagnosis: Diagnosis | None


class ResultReport(Result, kw_only=True):
    """A result, and whether a waiver excuses it altogether."""

    waived: bool


class ReportDocument(Struct):
    """The whole report."""

    format: int
    error_says: ErrorSays | None
    run: About
    runbooks: list[Source]
    environments: list[EnvironmentReport]
    results: list[ResultReport]
    summary: RunSummary
    exit_code: int


def report(run: Run, options: ReportOptions) -> str:
    """The document, as ASCII text: nothing in it can drive a terminal, and no encoding can spoil it."""
    fields = {name: getattr(run, name) for name in About.__struct_fields__}
    document = ReportDocument(
        format=FORMAT,
        error_says=options.error_says,
        run=About(**fields),
        runbooks=list(options.runbooks),
        environments=[_environment(head, run) for head in run.heads],
        results=[ResultReport(**msgspec.structs.asdict(result), waived=result.waived) for result in run.results],
        summary=summarize(run.results),
        exit_code=exit_code(run, options.fail_on).value,
    )
    return json.dumps(_finite(msgspec.to_builtins(document)), indent=2, allow_nan=False) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the document, as published."""
    return json_schema(ReportDocument)


def _environment(head: Head, run: Run) -> EnvironmentReport:
    mine = [result for result in run.results if result.environment == head.environment]
    return EnvironmentReport(
        **msgspec.structs.asdict(head),
        summary=summarize(mine),
        common=common_of_run(mine),
        diagnosis=of_environment(run.diagnoses, head.environment),
    )


def _finite(value: Any) -> Any:
    """The same data with null for NaN and infinities, for which JSON has no word."""
    return json.loads(json.dumps(value), parse_constant=lambda _: None)
