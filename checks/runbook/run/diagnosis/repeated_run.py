"""Two runs of the same a few seconds apart, as one: what passes at one look and fails at the other is not known."""

from msgspec.structs import replace

from runbook.model.diagnosis import Diagnosis
from runbook.model.result import Outcome, Result
from runbook.model.run import Run

APART = 3.0
"""Seconds between two looks. Our judgement: what flaps does so within it, and a person waits that long."""

_TURNED = {Outcome.PASS, Outcome.FAIL}


def agreed(first: Run, second: Run) -> Run:
    """The second run, in which every check that the two looks contradict each other about is unknown.

    A check that could not be told at one of them is what the other found out, if that is the second.
    """
    before = {(result.check, result.subject): result for result in first.results}
    results = [_agreed(before.get((result.check, result.subject)), result, first, second) for result in second.results]
    flapping = {new.check for new, old in zip(results, second.results, strict=True) if new is not old}
    diagnoses = [_without(diagnosis, flapping) for diagnosis in second.diagnoses] if flapping else second.diagnoses
    return replace(second, results=results, diagnoses=diagnoses)


def _agreed(before: Result | None, now: Result, first: Run, second: Run) -> Result:
    if before is None or {before.outcome, now.outcome} != _TURNED:
        return now
    failed = before if before.outcome is Outcome.FAIL else now
    looks = {first.started_at: before, second.started_at: now}
    words = [f"{_word(look)} at {at[11:19]}" for at, look in looks.items()]
    rows = [replace(row, outcome="unknown") for row in failed.rows if row.outcome == "fail"]
    return replace(
        now,
        outcome=Outcome.UNKNOWN,
        reason=f"it flaps: it {' and '.join(words)} UTC; {failed.reason}",
        rows=rows,
        failed=0,
        undecided=failed.failed,
    )


def _word(result: Result) -> str:
    return "passed" if result.outcome is Outcome.PASS else "failed"


def _without(diagnosis: Diagnosis, flapping: set[str]) -> Diagnosis:
    """What is said of causes, without what it says of checks that flap."""

    def steady(checks: list[str]) -> list[str]:
        return [check for check in checks if check not in flapping]

    return replace(
        diagnosis,
        causes=[
            replace(
                cause,
                explains=steady(cause.explains),
                helps=steady(cause.helps),
                may_explain=steady(cause.may_explain),
            )
            for cause in diagnosis.causes
        ],
        unexplained=steady(diagnosis.unexplained),
    )
