"""What is said first of an environment."""

import pytest
from msgspec.structs import replace

from runbook.model.diagnosis import CauseFound, Diagnosis
from runbook.model.result import Outcome
from runbook.reports._answer import answer
from support.small_runbooks import result


def found(cause: str, says: str) -> CauseFound:
    return CauseFound(cause=cause, title="A cause", says=says, certain=True, first=f"mend {says}")


def test_further_findings_of_one_kind_hide_no_other_kind() -> None:
    full = [found("ha/disk-is-full", f"disk {number} is full") for number in (1, 2, 3)]
    said = Diagnosis(environment="prod", causes=[*full, found("error-handling/worker-is-silent", "a worker is silent")])
    told = answer(said, [], "2026-11-24T14:00:00Z")
    assert [(part.word, part.says) for part in told] == [
        ("CAUSE", "disk 1 is full"),
        ("CAUSE", "a worker is silent"),
        ("CAUSE", "disk 2 is full"),
        ("CAUSES", "1 more: --full"),
    ]
    firsts = [line.says for part in told for line in part.lines if line.label == "first"]
    assert firsts == ["mend disk 1 is full", "mend a worker is silent"]  # of one kind it is the same, and said once


@pytest.mark.parametrize(
    ("explains", "helps", "perhaps", "said"),
    [
        (["ha/a"], [], [], "1 of 2 failing checks: they pass without it"),
        (["ha/a"], ["ha/b"], [], "1 of 2 failing checks: they pass without it; 1 more, together with the other causes"),
        ([], ["ha/a"], [], "1 of 2 failing checks, together with the other causes"),
        ([], [], ["ha/a"], "perhaps 1 of 2 failing checks"),
        (["ha/a"], [], ["ha/b"], "1 of 2 failing checks: they pass without it; perhaps 1 more"),
        ([], [], [], "0 of 2 failing checks: they pass without it"),
    ],
)
def test_what_a_cause_explains_alone_and_with_others_is_told_apart(
    explains: list[str], helps: list[str], perhaps: list[str], said: str
) -> None:
    one = replace(found("ha/disk-is-full", "a disk is full"), explains=explains, helps=helps, may_explain=perhaps)
    failed = [result(check, "prod", Outcome.FAIL) for check in ("ha/a", "ha/b")]
    [part, *_] = answer(Diagnosis(environment="prod", causes=[one]), failed, "2026-11-24T14:00:00Z")
    assert [line.says for line in part.lines if line.label == "explains"] == [said]
