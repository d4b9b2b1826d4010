"""What an author says that it means that there is nothing to judge."""

from typing import Any

import pytest

from runbook.judge.judge import judge
from runbook.model.result import Outcome
from support.small_runbooks import ROWS, compiled, context, fact
from support.small_verdicts import row

pytestmark = pytest.mark.usefixtures("fakes")

FAILS = "where_none: {outcome: fail, message: Whoever gets in may do everything.}\n"
NONE = "Whoever gets in may do everything."


@pytest.mark.parametrize(
    "told",
    [{"inapplicable": "there is no authorizer"}, {}, {"rows": [{"name": "a", "size": 20, "ok": False}]}],
)
def test_an_author_may_call_it_a_failure_that_there_is_nothing_to_judge(told: dict[str, Any]) -> None:
    body, seen = ROWS + FAILS + "expect: {each: row, where: row.ok, that: row.size <= 10}", fact("fake_row", **told)
    found = judge(compiled(body), {"row": seen}, context())
    assert (found.outcome, found.reason, found.failed, found.judged) == (Outcome.FAIL, NONE, 1, 0)
    assert [one.message for one in found.rows] == [NONE]
    other = judge(compiled(body.replace("fail", "not_applicable")), {"row": seen}, context())
    assert (other.outcome, other.reason, other.rows) == (Outcome.NOT_APPLICABLE, NONE, [])
    assert judge(compiled(body.replace(FAILS, "")), {"row": seen}, context()).outcome is Outcome.NOT_APPLICABLE


def test_what_is_not_known_or_ranked_otherwise_is_no_nothing() -> None:
    body = ROWS + FAILS + "expect: {each: row, that: row.size <= 10}"
    gaps = judge(compiled(body), {"row": fact("fake_row", gaps=["no rights"])}, context())
    assert gaps.outcome is Outcome.UNKNOWN
    assert judge(compiled(body), {"row": fact("fake_row", [row("a", size=1)])}, context()).outcome is Outcome.PASS


@pytest.mark.parametrize("expect", ["{all: row, that: size(row.name) > 0}", "{same: row, by: [name], value: [size]}"])
def test_of_columns_and_groups_too(expect: str) -> None:
    found = judge(compiled(ROWS + FAILS + f"expect: {expect}"), {"row": fact("fake_row")}, context())
    assert (found.outcome, found.reason) == (Outcome.FAIL, NONE)


def test_a_gate_that_is_told_a_name_stays_closed_where_nothing_has_it() -> None:
    named = "gate: true\nparams: {topic: {type: string, default: ''}}\n"
    body = ROWS + "expect: {each: row, where: row.name == 'b', that: row.ok}"
    seen = {"row": fact("fake_row", [row("a", size=1)])}
    found = judge(compiled(body.replace(ROWS, named + ROWS)), seen, context())
    assert found.outcome is Outcome.UNKNOWN
    assert found.reason.endswith("none of them is concerned; name it by --set TOPIC=…")
    # Without a name, outside of gates, or where the author said what it means, as before.
    for other in (named.replace("gate: true\n", ""), "gate: true\n", ""):
        assert judge(compiled(body.replace(ROWS, other + ROWS)), seen, context()).outcome is Outcome.NOT_APPLICABLE
    assert judge(compiled(body.replace(ROWS, named + FAILS + ROWS)), seen, context()).outcome is Outcome.FAIL
    gone = {"row": fact("fake_row", inapplicable="there is no authorizer")}
    assert judge(compiled(body.replace(ROWS, named + ROWS)), gone, context()).outcome is Outcome.NOT_APPLICABLE
