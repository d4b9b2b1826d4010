"""What did not hold when the facts were kept last is told first."""

from collections.abc import Callable
from typing import Any

import pytest

from runbook.evidence.bundle import Bundle
from runbook.judge.cause import compile_cause
from runbook.model.block import Cause
from runbook.model.diagnosis import CauseFound
from runbook.model.fact import Fact, Gap
from runbook.run.diagnosis.changes_since import put_new_first
from runbook.run.diagnosis.explanation import JudgedEnvironment, diagnose
from support.cause_blocks import CAUSE, block
from support.small_runbooks import EACH, NOW, check_text, fact, inventory, runner_of, small_runbook, stored, target

pytestmark = pytest.mark.usefixtures("fakes")


def large(name: str, size: int = 11) -> dict[str, Any]:
    return {"name": name, "size": size, "broker": 1, "ok": True}


def told(now: Fact, then: Fact | None) -> list[tuple[str, bool]]:
    """The causes in their order: what each is about, and whether it is new."""
    ends = inventory(prod=target("prod", {"fake": {}}))
    runner = runner_of(ends, check_text(EACH, "small"))
    for _ in runner.kept(stored({("prod", "fake_row"): now})):
        pass
    placed = list(small_runbook(block("cause", CAUSE)).placed())
    causes = [compile_cause(each) for each in placed if isinstance(each.block, Cause)]
    here = JudgedEnvironment(ends.targets["prod"], runner.collected, runner.judged(), NOW)
    said = diagnose(here, causes, []).diagnosis
    kept: Bundle = stored({("prod", "fake_row"): then} if then else {})
    put_new_first(said, causes, here, kept)
    return [(about(cause), cause.new) for cause in said.causes]


def about(cause: CauseFound) -> str:
    return str(cause.keys["name"][0])


def two() -> Fact:
    return fact("fake_row", [large("a"), large("b")])


def hidden() -> Fact:
    return fact("fake_row", [large("a")], gaps=[Gap("b did not answer", {"topic": "b"})])


def test_a_cause_that_did_not_hold_then_comes_first() -> None:
    assert told(two(), fact("fake_row", [large("a"), large("b", 1)])) == [("b", True), ("a", False)]


@pytest.mark.parametrize("then", [two, hidden, lambda: None])
def test_what_held_or_was_not_seen_then_is_not_new(then: Callable[[], Fact | None]) -> None:
    assert told(two(), then()) == [("a", False), ("b", False)]


def test_of_a_single_cause_it_is_not_asked() -> None:
    assert told(fact("fake_row", [large("b")]), fact("fake_row", [large("b", 1)])) == [("b", False)]
