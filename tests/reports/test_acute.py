"""What is new or acute is told before what has been so for long."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from runbook.model.block import Severity
from runbook.model.diagnosis import CauseFound, ChangesSince, Contrast, Diagnosis
from runbook.model.fact import Gap
from runbook.model.gap_kind import GapKind
from runbook.model.result import JudgedRow, Outcome, Result
from runbook.reports import ReportOptions
from runbook.reports._acute import acute_first, of_long, since_long
from runbook.reports._answer import answer
from runbook.reports._brief import Brief
from runbook.reports._contrasts import no_cause
from runbook.reports._findings import list_findings
from runbook.reports._screen import Screen
from runbook.reports._unkept import unkept, unkept_line
from support.small_runbooks import result


def failing(check: str, consequence: str) -> Result:
    return replace(result(check, "prod", Outcome.FAIL), consequence=consequence, severity="high")


ACUTE, DOOR, HABIT = failing("ha/urp", "degraded"), failing("security/door", "open-door"), failing("ha/rf", "latent")
STANDING = CauseFound(cause="topics/no-bound", title="", says="2 topics have no bound", certain=True, standing=True)


def said(causes: Sequence[CauseFound] = (), newly: Sequence[str] = (), lasting: Sequence[str] = ()) -> Diagnosis:
    made = Diagnosis(environment="prod", causes=[*causes], newly=[*newly], lasting=[*lasting])
    made.unexplained = [one.check for one in (ACUTE, DOOR, HABIT)]
    made.changes = ChangesSince(since="2026-10-12T06:00:00.000Z", run="r", seen_twice=3)
    return made


@pytest.mark.parametrize(
    ("diagnosis", "order"),
    [
        pytest.param(None, [ACUTE, HABIT, DOOR], id="acute first, then what may stop clients"),
        pytest.param(said(newly=["security/door"]), [DOOR, ACUTE, HABIT], id="new first"),
    ],
)
def test_what_is_new_comes_first_and_then_what_is_acute(diagnosis: Diagnosis | None, order: list[Result]) -> None:
    assert acute_first([DOOR, HABIT, ACUTE], diagnosis) == order


def test_what_is_left_out_is_as_bad_as_the_worst_of_it() -> None:
    mild = [replace(HABIT, check=f"ha/{name}", severity="medium") for name in "ab"]
    page = Screen(80, color=False)
    list_findings(page, [*mild, DOOR], None, ReportOptions(), Brief(findings=1), short=False)
    assert "2 more failing checks, the worst high: --full" in page.text()


def test_what_is_unknown_is_counted_apart_as_it_stands_behind_what_fails() -> None:
    grave = replace(HABIT, check="ha/c", severity="critical", outcome=Outcome.UNKNOWN)
    page = Screen(80, color=False)
    list_findings(page, [HABIT, DOOR, grave], None, ReportOptions(), Brief(findings=1), short=False)
    assert "1 more failing check, the worst high; 1 unknown, the worst critical: --full" in page.text()


def test_what_a_bundle_was_not_collected_for_is_one_line() -> None:
    lacks = [Gap("the bundle does not hold it", kind=GapKind.NOT_KEPT)]
    dark = [replace(failing(f"ha/{name}", "outage"), outcome=Outcome.UNKNOWN, gaps=lacks) for name in "ab"]
    silent = replace(dark[0], check="ha/c", gaps=[Gap("it timed out", kind=GapKind.TIMED_OUT)])
    found = unkept([*dark, silent, HABIT])
    assert found == dark
    assert unkept_line(found) == ("2 checks unknown, the worst high: the bundle was collected for other checks: --full")


def test_a_critical_failure_that_stands_comes_before_what_may_be_acute() -> None:
    gravest = replace(HABIT, severity="critical")
    doubt = replace(ACUTE, outcome=Outcome.UNKNOWN)
    assert acute_first([gravest, doubt, DOOR], None) == [gravest, doubt, DOOR]
    assert acute_first([DOOR, doubt], None) == [doubt, DOOR]


def test_an_unknown_forecast_is_nothing_of_this_hour() -> None:
    forecast = replace(failing("capacity/days", "limit-near"), outcome=Outcome.UNKNOWN)
    assert acute_first([forecast, HABIT], None) == [HABIT, forecast]
    full = replace(forecast, outcome=Outcome.FAIL)
    assert acute_first([HABIT, full], None) == [full, HABIT]


@pytest.mark.parametrize(("severity", "told"), [("high", 1), ("medium", 0)])
def test_above_what_is_wrong_only_the_gravest_is_told_apart(severity: Severity, told: int) -> None:
    row = JudgedRow({"topic": "orders"}, "too few", "fail")
    mild = replace(HABIT, severity=severity, rows=[row])
    diagnosis = Diagnosis(environment="prod", contrasts={mild.check: [Contrast("led by broker 2", 4, 4, 0, 9, {})]})
    assert len(no_cause(diagnosis, [DOOR, mild])) == told


def test_standing_conditions_that_last_are_one_line_and_what_is_acute_never() -> None:
    diagnosis = said(lasting=["ha/urp", "ha/rf", "security/door"])
    assert of_long([ACUTE, DOOR, HABIT], diagnosis) == [DOOR, HABIT]
    assert since_long([DOOR, HABIT], diagnosis) == (
        "2 more checks have been failing since Mon 2026-10-12 or longer: --full"
    )
    assert since_long([DOOR], diagnosis).startswith("1 more check has been failing since")


def test_where_nothing_else_fails_they_are_listed() -> None:
    assert of_long([DOOR, HABIT], said(lasting=["ha/rf", "security/door"])) == []


def test_a_standing_cause_stands_beneath_what_is_acute() -> None:
    parts = answer(said([STANDING]), [DOOR, HABIT, ACUTE], "2026-11-29T14:00:00Z")
    assert [(part.word, part.says.split(":")[0]) for part in parts if part.word != "CHANGED"] == [
        ("FAILING", "high  ha/urp"),
        ("CAUSE", "2 topics have no bound"),
        ("ALSO", "high  ha/rf"),
        ("ALSO", "1 more failing check that no cause explains"),
    ]


def test_an_acute_cause_stays_above_what_it_does_not_explain_where_it_explains_something() -> None:
    acute = replace(STANDING, standing=False)

    def words(cause: CauseFound) -> list[str]:
        return [part.word for part in answer(said([cause]), [ACUTE], "2026-11-29T14:00:00Z") if part.word != "CHANGED"]

    assert words(replace(acute, explains=["ha/isr"])) == ["CAUSE", "ALSO"]
    assert words(replace(acute, may_explain=["ha/isr"])) == ["CAUSE", "ALSO"]
    assert words(acute) == ["FAILING", "CAUSE"]


def test_what_was_asked_about_stands_above_a_cause_that_explains_none_of_it() -> None:
    silent = replace(STANDING, standing=False, withholds=["ha/broker"])

    def words(cause: CauseFound, brief: Brief) -> list[str]:
        parts = answer(said([cause]), [HABIT], "2026-11-29T14:00:00Z", brief)
        return [part.word for part in parts if part.word != "CHANGED"]

    assert words(silent, Brief(picked=True)) == ["FAILING", "CAUSE"]
    assert words(silent, Brief()) == ["CAUSE", "ALSO"]
    assert words(replace(silent, explains=["ha/isr"]), Brief(picked=True)) == ["CAUSE", "ALSO"]
