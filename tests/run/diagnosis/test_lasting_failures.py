"""Which failures are new since facts were kept last, and which were there then."""

from typing import Any

import pytest

from runbook.evidence.bundle import Bundle
from runbook.model.diagnosis import Diagnosis
from runbook.model.fact import Fact, Gap
from runbook.run.diagnosis.changes_since import part_failures
from runbook.run.diagnosis.explanation import JudgedEnvironment
from support.small_runbooks import EACH, NOW, check_text, fact, inventory, runner_of, stored, target

pytestmark = pytest.mark.usefixtures("fakes")


def rows(size: int, *gaps: Gap) -> Fact:
    return fact("fake_row", [{"name": "a", "size": size, "broker": 1, "ok": True}], gaps=[*gaps])


def parted(now: Fact, then: Fact | None) -> Any:
    ends = inventory(prod=target("prod", {"fake": {}}))
    runner = runner_of(ends, check_text(EACH, "small"))
    for _ in runner.kept(stored({("prod", "fake_row"): now})):
        pass
    here = JudgedEnvironment(ends.targets["prod"], runner.collected, runner.judged(), NOW)
    said = Diagnosis(environment="prod")
    kept: Bundle = stored({("prod", "fake_row"): then} if then else {})
    part_failures(said, here, kept)
    return len(said.newly), len(said.lasting)


def test_what_passed_then_is_new_and_what_failed_lasts() -> None:
    assert parted(rows(11), rows(1)) == (1, 0)
    assert parted(rows(11), rows(11)) == (0, 1)


def test_of_what_was_not_seen_then_nobody_knows() -> None:
    assert parted(rows(11), None) == (0, 0)
    assert parted(rows(11), rows(1, Gap("b did not answer"))) == (0, 0)


def test_what_does_not_fail_is_neither() -> None:
    assert parted(rows(1), rows(11)) == (0, 0)
