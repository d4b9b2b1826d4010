"""Runs as stores keep them, for tests of everything that writes, moves, verifies or reads evidence."""

from collections.abc import Sequence
from typing import Any

from runbook.evidence.lines import WholeRunLine, lines_of
from runbook.model.result import Outcome
from runbook.model.run import Expected, Head, Run
from support.small_runbooks import empty_run, result


def kept_run(
    *environments: str, number: int = 0, outcomes: Sequence[Outcome] = (Outcome.PASS, Outcome.FAIL), **fields: Any
) -> Run:
    """A scheduled run over these environments, with one check per outcome; `number` tells runs apart."""
    names = environments or ("prod",)
    checks = [f"small/check-{i}" for i in range(len(outcomes))]
    started_at = f"2026-11-{1 + number % 28:02}T10:00:00.000Z"
    run = empty_run(*names, started_at=started_at, **fields)
    run.id = f"{started_at[:10].replace('-', '')}T100000Z-{number:012x}"
    run.trigger = "scheduled"
    run.expected = [Expected(check, "high", "d1", "small", "1.0.0") for check in checks]
    run.results = [
        result(check, name, outcome, check_digest="d1", runbook_digest="r1")
        for name in names
        for check, outcome in zip(checks, outcomes, strict=True)
    ]
    return run


def run_line(started_at: str, head: Head) -> WholeRunLine:
    """The first line of a scheduled run over one environment."""
    run = empty_run(head.environment, started_at=started_at)
    run.trigger = "scheduled"
    line = next(lines_of(run, head))
    assert isinstance(line, WholeRunLine)
    return line
