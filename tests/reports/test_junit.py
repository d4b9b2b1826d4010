from typing import Any
from xml.etree.ElementTree import Element, fromstring

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from runbook.judge.summary import below
from runbook.model.exit_code import ExitCode, exit_code
from runbook.model.result import Outcome
from runbook.reports.junit import report


def document(case: Any) -> Element:
    return fromstring(report(case.run, case.options))


def test_each_result_is_one_case_in_the_suite_of_its_environment(case: Any) -> None:
    found = [(case_.get("classname"), case_.get("name")) for case_ in document(case).iter("testcase")]

    assert sorted(found) == sorted(
        (f"{result.environment}.{result.runbook}", name(result.check, result.subject, result.environment))
        for result in case.run.results
    )


def name(check: str, subject: str, environment: str) -> str:
    return check.partition("/")[2] + ("" if subject == environment else f" [{subject}]")


def test_counts_are_those_of_the_elements(case: Any) -> None:
    root = document(case)

    for suite in [root, *root.iter("testsuite")]:
        assert int(suite.get("tests", "")) == len(list(suite.iter("testcase")))
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.get(attribute, "")) == len(list(suite.iter(tag)))


def test_a_ci_server_comes_to_the_verdict_of_the_exit_code(case: Any) -> None:
    root = document(case)
    code = exit_code(structs.replace(case.run, interrupted=False), case.options.fail_on)

    assert (root.get("failures") != "0") == (code is ExitCode.FAILED)
    if code in {ExitCode.COMPLIANT, ExitCode.NOTHING}:
        assert root.get("errors") == "0"


def test_outcomes_that_fail_no_run_are_skipped_with_their_reason(case: Any) -> None:
    messages = [skipped.get("message", "") for skipped in document(case).iter("skipped")]
    excused = [
        result
        for result in case.run.results
        if result.waived or result.unobserved or result.outcome is Outcome.NOT_APPLICABLE
    ]

    assert len(messages) == len(excused) + len(below(case.run.results, case.options.fail_on))
    assert all(messages)


@given(text=st.text(st.characters(), max_size=40))
def test_any_text_makes_valid_xml(text: str) -> None:
    # Built here and not by a fixture: hypothesis runs the body many times.
    from runbook.model.fact import Gap
    from runbook.model.result import JudgedRow, Result
    from runbook.model.run import Head, Run
    from runbook.reports import ReportOptions

    made = Result(
        check=f"ha/{text}",
        environment=text,
        outcome=Outcome.FAIL,
        reason=text,
        rows=[JudgedRow({text: text}, text)],
        title=text,
        severity="high",
        objectives=[],
        subject="",
        subject_kind="environment",
        judged=1,
        failed=1,
        undecided=0,
        gaps=[Gap(text)],
        common=[],
        waiver=None,
        ranking=[],
        params={},
        overridden=[],
        proof="observed",
        remedy=text,
        evidence=[],
        runbook="ha",
        runbook_version="1.0.0",
        runbook_digest="",
        check_digest="",
    )
    run = Run("1", "0", "manual", True, text, 1, [Head(text, cluster_id=text, notes=[text])], [made])  # noqa: FBT003

    written = report(run, ReportOptions())

    assert fromstring(written).get("failures") == "1"
    assert written.replace("\n", "").isprintable()
