from typing import Any

import pytest

from runbook.judge.summary import (
    RunSummary,
    below,
    counted,
    findings,
    open_count,
    open_rows,
    summarize,
    worst_first,
)
from runbook.model.block import Severity
from runbook.model.result import Evidence, JudgedRow, Outcome, Result, WaiverUse
from support.small_runbooks import result as small_result


def result(check: str, outcome: Outcome, severity: Severity = "high", **changes: Any) -> Result:
    plain: dict[str, Any] = {"reason": "", "rows": [], "title": "", "subject": "prod", "judged": 2, "runbook": "ha"}
    environment = changes.pop("environment", "prod")
    return small_result(check, environment, outcome, severity=severity, **(plain | changes))


def waived(check: str, severity: Severity = "critical") -> Result:
    waiver = WaiverUse("alice", "moves in January", "2027-01-15", 1)
    return result(
        check, Outcome.FAIL, severity, failed=1, waiver=waiver, rows=[JudgedRow({"topic": "a"}, "", waived=True)]
    )


def test_each_result_is_counted_once_and_a_waived_failure_only_as_waived() -> None:
    results = [result("a", Outcome.PASS), result("b", Outcome.FAIL), waived("c"), result("d", Outcome.UNKNOWN)]

    assert summarize([*results, result("e", Outcome.NOT_APPLICABLE, judged=0)]) == RunSummary(
        passed=1, failed=1, unknown=1, not_applicable=1, waived=1, judged=8
    )


def test_a_fact_several_checks_rest_on_is_one_fact_but_not_across_environments() -> None:
    fact = Evidence("topic", "kafka_topic", "d1", 3, complete=True, collected_at="")
    same = [result("a", Outcome.PASS, evidence=[fact]), result("b", Outcome.PASS, evidence=[fact])]

    assert summarize(same).facts == 1
    assert summarize([*same, result("a", Outcome.PASS, evidence=[fact], environment="stage")]).facts == 2


def test_findings_come_worst_first_and_what_is_waived_last() -> None:
    results = [
        waived("excused"),
        result("mild", Outcome.FAIL, "low"),
        result("passing", Outcome.PASS, "critical"),
        result("unsure", Outcome.UNKNOWN, "critical"),
        result("bad", Outcome.FAIL, "critical"),
        result("bad-too", Outcome.FAIL, "critical"),
    ]

    assert [finding.check for finding in findings(results)] == ["bad", "bad-too", "unsure", "mild", "excused"]
    assert [result.check for result in worst_first(results)][3] == "passing"


def test_a_grave_failure_comes_before_the_gravest_that_may_be_none_and_that_before_a_mild_one() -> None:
    results = [
        result("unsure", Outcome.UNKNOWN, "critical"),
        result("medium", Outcome.FAIL, "medium"),
        result("doubtful", Outcome.UNKNOWN, "high"),
        result("high", Outcome.FAIL, "high"),
    ]

    assert [finding.check for finding in findings(results)] == ["high", "unsure", "medium", "doubtful"]


def test_failures_below_the_threshold_are_those_milder_than_it_and_not_waived() -> None:
    results = [result("mild", Outcome.FAIL, "medium"), result("bad", Outcome.FAIL, "high"), waived("excused", "low")]

    assert [result.check for result in below(results, "high")] == ["mild"]


def test_excused_rows_are_not_open_unless_the_whole_result_is_waived() -> None:
    rows = [JudgedRow({"topic": "a"}, "", waived=True), JudgedRow({"topic": "b"}, "")]
    waiver = WaiverUse("alice", "moves in January", "2027-01-15", 1)
    partly = result("a", Outcome.FAIL, rows=rows, failed=2, waiver=waiver)

    assert (open_rows(partly), open_count(partly)) == ([rows[1]], 1)
    assert open_count(waived("b")) == len(open_rows(waived("b"))) == 1


def test_rows_that_were_not_kept_still_count() -> None:
    many = result("a", Outcome.FAIL, rows=[JudgedRow({"topic": "a"}, "")], failed=4_000, undecided=3)

    assert open_count(many) == 4_003


@pytest.mark.parametrize(
    ("count", "noun", "said"),
    [(1, "broker", "1 broker"), (0, "rack", "0 racks"), (1200, "log_dir", "1,200 log dirs")],
)
def test_counts_agree_with_their_nouns(count: int, noun: str, said: str) -> None:
    assert counted(count, noun) == said
