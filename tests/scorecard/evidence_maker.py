"""Runs for tests, written by the engine's own store."""

from pathlib import Path
from typing import Any

from runbook.engine.block import Severity
from runbook.engine.result import Common, Outcome, Result, Row, WaiverUse
from runbook.engine.run import Expected, Head, Run
from runbook.engine.store import write_run

SEVERITY: dict[str, Severity] = {"ha/a": "critical", "ha/b": "high", "ha/c": "low"}


def result(check: str, outcome: str, environment: str = "prod", **fields: Any) -> Result:
    """One result; a failure has one row, and a waiver if `waived` is true."""
    failed = int(outcome == "fail")
    waived = fields.pop("waived", False)
    about = {
        "reason": f"{check} says {outcome}",
        "rows": [Row({"topic": "orders"}, "RF 1", touches={"broker": [2]})] * failed,
        "title": f"{check} holds",
        "severity": SEVERITY.get(check, "medium"),
        "objectives": ["durability"],
        "subject": environment,
        "subject_kind": "environment",
        "judged": 3,
        "failed": failed,
        "undecided": 0,
        "gaps": [],
        "common": [Common("broker", "2", 1, 1)] * failed,
        "waiver": WaiverUse("ann", "moves to new disks", "2026-12-31", failed) if waived else None,
        "ranking": [],
        "params": {},
        "overridden": [],
        "proof": "observed",
        "remedy": "",
        "evidence": [],
        "runbook": check.split("/")[0],
        "runbook_version": "1.0.0",
        "runbook_digest": "r1",
        "check_digest": "c1",
    }
    return Result(check=check, environment=environment, outcome=Outcome(outcome), **(about | fields))


def run(results: list[Result], started_at: str, expected: list[str] | None = None, **fields: Any) -> Run:
    """One scheduled, complete run of everything it has results for, unless said otherwise."""
    checks = expected if expected is not None else sorted({one.check for one in results})
    environments = fields.pop("environments", sorted({one.environment for one in results}))
    about = {
        "id": fields.pop("id", f"{started_at.replace('-', '').replace(':', '')}-000000000000"),
        "tool_version": "0",
        "trigger": "scheduled",
        "complete": True,
        "deadline_ms": 10_000,
        "heads": [Head(environment=one) for one in environments],
        "expected": [
            Expected(one, SEVERITY.get(one, "medium"), fields.pop("digest", "c1"), one.split("/")[0], "1.0.0")
            for one in checks
        ],
    }
    return Run(started_at=started_at, results=results, **(about | fields))


def verdicts(outcomes: dict[str, str], started_at: str, environment: str = "prod", **fields: Any) -> Run:
    """A run with these outcomes: check -> outcome, or `waived`."""
    results = [
        result(check, "fail", environment, waived=True) if said == "waived" else result(check, said, environment)
        for check, said in outcomes.items()
    ]
    return run(results, started_at, **fields)


def keep(store: Path, *runs: Run) -> list[Path]:
    """Write runs to a store."""
    return [file for one in runs for file in write_run(store, one)]
