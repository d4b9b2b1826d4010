"""Annotations say what fails, at its line, and escape what GitHub would take for a command of its own."""

from typing import Any

import pytest
from msgspec import structs

from runbook.model.block import Severity
from runbook.model.fact import Gap
from runbook.model.result import JudgedRow, Outcome, Result, WaiverUse
from runbook.model.run import Run
from runbook.reports import ReportOptions
from runbook.reports.github import report
from support.platforms import run_on


def only(severity: Severity = "high", **changes: Any) -> Run:
    """A run of one check that fails, changed."""
    run = run_on("strimzi")
    result = next(result for result in run.results if result.outcome is Outcome.FAIL)
    row = JudgedRow({"topic": "a"}, "bad", place="/repo/deploy/a.yaml:7:3")
    base: dict[str, Any] = {"rows": [row], "failed": 1, "severity": severity, "title": "All is well", "check": "k/c"}
    return structs.replace(run, results=[structs.replace(result, **(base | changes))], heads=[])


def lines(run: Run, **options: Any) -> list[str]:
    return report(run, ReportOptions(folder="/repo", **options)).splitlines()


@pytest.mark.parametrize(
    ("severity", "level"),
    [("critical", "error"), ("high", "error"), ("medium", "warning"), ("low", "notice"), ("info", "notice")],
)
def test_a_row_that_fails_is_an_annotation_at_its_line(severity: Severity, level: str) -> None:
    said = lines(only(severity))
    about = f"::{level} file=deploy/a.yaml,line=7,col=3,title={severity} k/c::"
    assert said[0].startswith(f"{about}a: bad%0AExpected: All is well%0ADo first: ")
    assert said[1].startswith("runbook: 0 pass, 1 fail, ")


def test_what_does_not_fail_the_run_is_a_notice() -> None:
    assert lines(only(), fail_on="critical")[0].startswith("::notice ")


def test_what_is_waived_is_counted_only() -> None:
    row = JudgedRow({"topic": "a"}, "bad", waived=True)
    assert len(lines(only(rows=[row, JudgedRow({"topic": "b"}, "bad")], failed=2))) == 2
    assert len(lines(only(rows=[row], waiver=WaiverUse("ana", "why", "2027-01-01", 1)))) == 1


def test_what_would_be_a_command_is_escaped() -> None:
    row = JudgedRow({}, "100% of it\n::error::x", place="a,b:c.yaml:1:1")
    [said, _] = lines(only(rows=[row]))
    assert said.startswith("::error file=a%2Cb%3Ac.yaml,line=1,col=1,title=high k/c::100%25 of it")
    assert "\n" not in said


def test_what_one_line_decides_is_one_annotation() -> None:
    rows = [JudgedRow({"topic": name, "namespace": "shop"}, "1 in sync", place="a.yaml:3:1") for name in "abcde"]
    run = only(rows=rows, failed=5)
    other = structs.replace(
        run.results[0], check="k/d", title="More", rows=[JudgedRow({}, "x", place="a.yaml:3:1")], failed=1
    )
    [said, _] = lines(structs.replace(run, results=[*run.results, other]))
    assert "title=high k/c%2C and 1 more check::a, b, c and 2 more (namespace shop): 1 in sync%0A" in said
    assert said.endswith("%0A%0Ahigh k/d: x%0AExpected: More")
    assert said.count("Do first") == 1


def test_of_each_check_one_comes_before_any_has_a_second() -> None:
    rows = [JudgedRow({"topic": name}, "bad", place=f"a.yaml:{at}:1") for at, name in enumerate("abc", 1)]
    run = only(rows=rows, failed=3)
    other = structs.replace(run.results[0], check="k/d", rows=[JudgedRow({}, "x", place="b.yaml:1:1")], failed=1)
    mild = structs.replace(other, check="k/e", severity="medium")
    found = lines(structs.replace(run, results=[*run.results, other, mild]))
    assert [line.partition("title=")[2].partition("::")[0] for line in found[:-1]] == [
        *("high k/c", "high k/d, and 1 more check".replace(",", "%2C")),
        *("high k/c", "high k/c"),
    ]


def test_rows_that_are_not_listed_are_counted() -> None:
    assert any("11 more, which are not listed" in line for line in lines(only(failed=12)))


def test_one_file_that_can_not_be_read_is_one_annotation_for_all_checks() -> None:
    run = only(outcome=Outcome.UNKNOWN, rows=[], failed=0, gaps=[Gap("no YAML", place="/repo/b.yaml:9:1")])
    results: list[Result] = [structs.replace(run.results[0], check=f"k/c{number}") for number in range(5)]
    [said, _] = lines(structs.replace(run, results=results))
    assert said == (
        "::warning file=b.yaml,line=9,col=1,title=could not be found out::"
        "no YAML. 5 checks could not be judged: k/c0, k/c1, k/c2, …"
    )
