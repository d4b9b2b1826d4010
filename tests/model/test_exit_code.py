import itertools

import pytest

from runbook.model.block import SEVERITIES, Severity
from runbook.model.exit_code import ExitCode, exit_code
from runbook.model.result import Outcome, Result, WaiverUse
from support.small_runbooks import empty_run, result

KINDS = ["pass", "fail", "mild fail", "waived", "unknown", "not_applicable"]


def result_of(kind: str) -> Result:
    waiver = WaiverUse("alice", "because of that", "2026-12-31", 1)
    match kind:
        case "fail":
            return result("small/a", "prod", Outcome.FAIL, failed=1)
        case "mild fail":
            return result("small/a", "prod", Outcome.FAIL, failed=1, severity="info")
        case "waived":
            return result("small/a", "prod", Outcome.FAIL, failed=1, waiver=waiver)
        case _:
            return result("small/a", "prod", Outcome(kind))


def expected(kinds: tuple[str, ...]) -> ExitCode:
    """The words of the design, in their order."""
    if "fail" in kinds:
        return ExitCode.FAILED  # an unwaived fail at or above --fail-on
    if "unknown" in kinds:
        return ExitCode.UNKNOWN  # no such fail, but something is unknown
    if set(kinds) <= {"not_applicable"}:
        return ExitCode.NOTHING  # nothing was selected, or nothing applied
    return ExitCode.COMPLIANT


@pytest.mark.parametrize(
    "kinds", [k for n in range(len(KINDS) + 1) for k in itertools.combinations(KINDS, n)], ids="+".join
)
def test_the_exit_code_of_every_mixture_of_outcomes(kinds: tuple[str, ...]) -> None:
    for order in (kinds, kinds[::-1]):
        assert exit_code(empty_run(results=[result_of(kind) for kind in order])) is expected(kinds)


@pytest.mark.parametrize("severity", SEVERITIES)
@pytest.mark.parametrize("fail_on", SEVERITIES)
def test_a_failure_counts_from_the_severity_asked_for(severity: Severity, fail_on: Severity) -> None:
    run = empty_run(results=[result("small/a", "prod", Outcome.FAIL, failed=1, severity=severity)])
    counts = SEVERITIES.index(severity) >= SEVERITIES.index(fail_on)
    assert exit_code(run, fail_on) is (ExitCode.FAILED if counts else ExitCode.COMPLIANT)


def test_an_interrupted_run_says_so_whatever_it_found() -> None:
    assert exit_code(empty_run(results=[result_of("fail")], interrupted=True)) is ExitCode.INTERRUPTED
    assert exit_code(empty_run(interrupted=True)) == 130


def test_the_numbers_scripts_rely_on_stay() -> None:
    assert {code.name: code.value for code in ExitCode} == {
        "COMPLIANT": 0,
        "FAILED": 1,
        "USAGE": 2,
        "UNKNOWN": 3,
        "NOTHING": 4,
        "INTERNAL": 5,
        "INTERRUPTED": 130,
    }
