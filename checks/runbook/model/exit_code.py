"""What the process says when it ends."""

from enum import IntEnum

from runbook.model.block import SEVERITIES, Severity
from runbook.model.result import Outcome, Result
from runbook.model.run import Run


class ExitCode(IntEnum):
    """What the process says. Documented in docs/reference/exit-codes.md; the same in every format."""

    COMPLIANT = 0
    FAILED = 1
    USAGE = 2
    UNKNOWN = 3
    NOTHING = 4
    INTERNAL = 5
    INTERRUPTED = 130


def fails(result: Result, fail_on: Severity) -> bool:
    """Whether a failure counts: it is not waived, and no milder than this."""
    severe = SEVERITIES.index(result.severity) >= SEVERITIES.index(fail_on)
    return severe and result.outcome is Outcome.FAIL and not result.waived


def exit_code(run: Run, fail_on: Severity = "low") -> ExitCode:
    """The exit code of a run (design §7): what nobody looks at by declaration counts for nothing."""
    if run.interrupted:
        return ExitCode.INTERRUPTED
    outcomes = [result.outcome for result in run.results]
    if any(fails(result, fail_on) for result in run.results):
        return ExitCode.FAILED
    if any(result.is_unknown for result in run.results):
        return ExitCode.UNKNOWN
    if Outcome.PASS in outcomes:
        return ExitCode.COMPLIANT
    return ExitCode.NOTHING if Outcome.FAIL not in outcomes else ExitCode.COMPLIANT
