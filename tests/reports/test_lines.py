"""Findings as compilers write them: the place first, and what to do once."""

from msgspec import structs

from runbook.model.result import JudgedRow, Outcome
from runbook.model.run import Run
from runbook.reports import ReportOptions
from runbook.reports._row_groups import row_text
from runbook.reports.lines import report
from support.platforms import run_on


def run(*rows: JudgedRow, remedy: str = "Do it.") -> Run:
    whole = run_on("strimzi")
    result = next(result for result in whole.results if result.outcome is Outcome.FAIL)
    changed = structs.replace(
        result, rows=[*rows], failed=len(rows), severity="high", title="All is well", check="k/c", remedy=remedy
    )
    return structs.replace(whole, results=[changed], heads=[])


def test_findings_stand_in_the_order_of_their_places_and_the_remedy_once() -> None:
    late = JudgedRow({"topic": "b"}, "bad in /repo/a.yaml, line 12", place="/repo/a.yaml:12:3")
    early = JudgedRow({"topic": "a"}, "/repo/a.yaml, line 7: worse", place="/repo/a.yaml:7:3")
    assert report(run(late, early), ReportOptions(folder="/repo")).splitlines() == [
        "a.yaml:7:3: high: worse",
        "    All is well (k/c)",
        "a.yaml:12:3: high: bad",
        "    All is well (k/c)",
        "",
        "What to do",
        "k/c",
        "    Do it.",
        "",
        "runbook: 0 pass, 1 fail, 0 unknown, 0 waived",
    ]


def test_what_is_too_mild_or_has_no_place_says_so() -> None:
    first = report(run(JudgedRow({"topic": "a"}, "bad")), ReportOptions(fail_on="critical")).splitlines()[0]
    assert first.endswith(": high, below --fail-on: a: bad")


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert "\x1b" not in report(run(JudgedRow({}, "\x1b[2Jx", place="a\x1b:1:1"), remedy="\x1b"), ReportOptions())


def test_other_reports_say_a_place_once() -> None:
    said = JudgedRow({}, "bad in /repo/a.yaml, line 12", place="/repo/a.yaml:12:3")
    assert row_text(said) == said.message
    assert row_text(JudgedRow({}, "bad", place="/repo/a.yaml:12:3")) == "bad (/repo/a.yaml:12)"
