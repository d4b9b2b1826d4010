"""What a base has in the same words is excused; what is new, or got another value, fails."""

from typing import Any

from msgspec import structs

from runbook.model.exit_code import ExitCode, exit_code
from runbook.model.result import JudgedRow, Outcome, WaiverUse
from runbook.model.run import Run
from runbook.run.judgement.known_findings import excuse_known
from support.platforms import run_on


def of(*rows: JudgedRow, **changes: Any) -> Run:
    run = run_on("strimzi")
    result = next(result for result in run.results if result.outcome is Outcome.FAIL)
    base: dict[str, Any] = {"rows": [*rows], "failed": len(rows), "undecided": 0, "severity": "high"}
    return structs.replace(run, results=[structs.replace(result, **(base | changes))])


def row(name: str, message: str = "bad", place: str = "a.yaml:1:1") -> JudgedRow:
    return JudgedRow({"topic": name}, message, place=place)


def test_what_the_base_has_is_waived_wherever_its_line_went() -> None:
    run = of(row("a", "no field (line 9)", "a.yaml:9:1"))
    excuse_known(run, of(row("a", "no field (line 7)", "a.yaml:7:1")), "main")
    assert run.results[0].waived
    assert run.results[0].waiver == WaiverUse("", "", "", 1, base="main")
    assert run.results[0].known
    assert exit_code(run) is ExitCode.COMPLIANT


def test_what_is_new_or_has_other_values_fails() -> None:
    for base in (of(row("b")), of(row("a", "worse")), of(row("a"), check="k/other"), of(row("a"), environment="x")):
        run = of(row("a"))
        excuse_known(run, base, "main")
        assert run == of(row("a"))


def test_beside_a_new_row_an_old_one_is_excused_alone() -> None:
    run = of(row("a"), row("b"))
    excuse_known(run, of(row("a")), "main")
    assert [each.waived for each in run.results[0].rows] == [True, False]
    assert not run.results[0].waived
    assert exit_code(run) is ExitCode.FAILED


def test_rows_that_are_not_kept_may_be_new() -> None:
    run = of(row("a"), failed=2)
    excuse_known(run, of(row("a")), "main")
    assert not run.results[0].waived


def test_several_rows_of_one_failure_are_one() -> None:
    run = of(row("a"), row("b"), failed=1)
    excuse_known(run, of(row("a"), row("b"), failed=1), "main")
    assert run.results[0].waived


def test_a_waiver_of_the_inventory_stays() -> None:
    own = WaiverUse("ana", "a reason", "2027-01-01", 1)
    run = of(structs.replace(row("a"), waived=True), row("b"), waiver=own)
    excuse_known(run, of(row("b")), "main")
    assert run.results[0].waiver == structs.replace(own, rows=2, base="main")
    assert run.results[0].waived
