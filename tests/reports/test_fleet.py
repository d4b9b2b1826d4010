"""Several environments at a glance."""

import pytest

from runbook.model.diagnosis import CauseFound, Diagnosis
from runbook.model.result import Outcome, Result, WaiverUse
from runbook.model.run import Head, Run
from runbook.reports import ReportOptions
from runbook.reports._fleet import InCommon, environment_lines, in_common
from runbook.reports.console import report
from support.small_runbooks import result


def fleet(*results: Result, diagnoses: list[Diagnosis] | None = None) -> Run:
    """A run over the environments of these results, in their order."""
    heads = [Head(name) for name in dict.fromkeys(result.environment for result in results)]
    cells = {"complete": True, "started_at": "2026-11-24T07:00:00.000Z", "deadline_ms": 1}
    return Run("r", "0", "manual", heads=heads, results=[*results], diagnoses=diagnoses or [], **cells)


def fails(environment: str, severity: str = "high", check: str = "ha/a", reason: str = "because") -> Result:
    return result(check, environment, Outcome.FAIL, severity=severity, reason=reason)


def down(environment: str, *explains: str) -> Diagnosis:
    cause = CauseFound(
        cause="ha/down", title="A broker is down", says=f"broker 2 of {environment} is down", certain=True
    )
    cause.explains += explains
    return Diagnosis(environment=environment, causes=[cause])


def test_the_worst_failure_comes_first_then_the_number_of_them_then_what_is_unknown() -> None:
    run = fleet(
        result("ha/a", "well"),
        result("ha/a", "unknown", Outcome.UNKNOWN),
        fails("two-high"),
        fails("two-high", check="ha/b"),
        fails("one-high"),
        fails("critical", "critical"),
    )
    assert [line.environment for line in environment_lines(run)] == [
        "critical",
        "two-high",
        "one-high",
        "unknown",
        "well",
    ]


def test_a_line_tells_the_cause_or_the_worst_finding_or_nothing() -> None:
    run = fleet(
        fails("a", "critical"),
        fails("b", "medium", reason="half"),
        fails("b", "high", check="ha/b", reason="worse"),
        result("ha/a", "c", Outcome.UNKNOWN, reason="no answer"),
        result("ha/a", "d"),
        diagnoses=[down("a", "ha/a")],
    )
    assert [(line.word, line.says, line.more) for line in environment_lines(run)] == [
        ("CAUSE", "broker 2 of a is down", 0),
        ("high", "worse", 1),
        ("unknown", "no answer", 0),
        ("", "", 0),
    ]


def test_a_cause_in_two_environments_is_in_common_and_what_it_explains_is_not_told_again() -> None:
    run = fleet(fails("a"), fails("b"), diagnoses=[down("a", "ha/a"), down("b", "ha/a")])
    assert in_common(run) == [InCommon("A broker is down", ["a", "b"])]


def test_findings_that_read_the_same_are_in_common_and_those_of_one_environment_are_not() -> None:
    run = fleet(fails("a"), fails("b"), fails("c", reason="otherwise"))
    assert in_common(run) == [InCommon("ha/a: because", ["a", "b"])]


def test_what_a_waiver_excuses_is_in_common_with_nobody() -> None:
    waived = result("ha/a", "b", Outcome.FAIL, failed=1, waiver=WaiverUse("us", "ten letters", "2026-12-01", 1))
    assert waived.waived
    assert in_common(fleet(fails("a"), waived)) == []
    assert in_common(fleet(fails("a"), waived, fails("c"))) == [InCommon("ha/a: because", ["a", "c"])]


@pytest.mark.parametrize("width", [80, 120, 200])
def test_every_line_fits_and_many_that_are_well_are_one_line(width: int) -> None:
    run = fleet(*(result("ha/a", f"well-{number:02}") for number in range(40)), fails("bad", reason="very " * 60))
    text = report(run, ReportOptions(width=width))
    assert max(map(len, text.splitlines())) <= width
    assert "40 environments of which nothing is wrong or unknown: well-00, well-01" in " ".join(text.split())
    assert text.index("bad") < text.index("well-00")
    assert len(text.splitlines()) < 24
    full = report(run, ReportOptions(width=width, full=True))
    assert "well-39" in full


def test_the_only_environment_that_is_not_well_follows_as_it_would_alone() -> None:
    page = report(fleet(fails("bad"), result("ha/a", "well"), diagnoses=[down("bad", "ha/a")]), ReportOptions())
    assert "CAUSE    broker 2 of bad is down" in page
    assert "name one environment" not in page
    assert "every check, with rows and reasons: --full" in page


def test_of_two_that_are_not_well_none_follows_and_it_is_said_how_to_read_on() -> None:
    page = report(fleet(fails("a"), fails("b"), diagnoses=[down("a", "ha/a")]), ReportOptions())
    assert "CAUSE    broker 2 of a is down" not in page
    assert "name one environment with --env" in page


def test_notes_stand_beneath_the_lines_each_once_with_its_environments() -> None:
    run = fleet(fails("a"), fails("b"), result("ha/a", "c"))
    run.heads[0].notes.append("the waiver of ops for ha/a expired on 2026-11-01")
    for head in run.heads:
        head.notes.append("what the inventory says of hq/ has no effect")
    text = report(run, ReportOptions(width=120))
    assert "note       a: the waiver of ops for ha/a expired on 2026-11-01\n" in text
    assert "note       a, b, c: what the inventory says of hq/ has no effect\n" in text
    assert text.count("expired") == 1
    many = fleet(*(fails(f"env-{i}") for i in range(22)))
    many.heads[0].notes += [f"note {i}" for i in range(7)]
    assert "note       env-0: note 4\nnotes      2 more, as on waivers: --full\n" in report(
        many, ReportOptions(width=120)
    )
    assert "notes      7, as on waivers: --full\n" in report(many, ReportOptions(width=120, lines=23))
    assert report(run, ReportOptions(width=120, full=True)).count("expired") == 1


def test_the_one_that_is_not_well_has_its_notes_in_its_own_section() -> None:
    run = fleet(fails("a"), result("ha/a", "b"))
    for head in run.heads:
        head.notes.append(f"of {head.environment} alone")
    text = report(run, ReportOptions(width=120))
    assert text.count("of a alone") == text.count("of b alone") == 1
