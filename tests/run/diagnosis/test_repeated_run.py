"""What passes at one look and fails at the next is not known."""

import pytest
from msgspec import structs

from runbook.model.diagnosis import CauseFound, Diagnosis
from runbook.model.result import JudgedRow, Outcome, Result
from runbook.model.run import Run
from runbook.run.diagnosis.repeated_run import agreed
from support.small_runbooks import empty_run, result

PASS, FAIL, UNKNOWN, ABSENT = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE


def look(second: int, outcome: Outcome, **fields: object) -> Run:
    """A run that began at that second, with one check."""
    rows = [JudgedRow({"topic": "a"}, "bad", "fail")] if outcome is FAIL else []
    made = result("ha/a", "prod", outcome, rows=rows, failed=len(rows), reason="one topic is bad" if rows else "good")
    return empty_run("prod", results=[structs.replace(made, **fields)], started_at=f"2026-11-24T07:00:0{second}.000Z")


def seen(first: Run, second: Run) -> Result:
    [found] = agreed(first, second).results
    return found


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [(PASS, FAIL, "it passed at 07:00:01 and failed at 07:00:05"), (FAIL, PASS, "it failed at 07:00:01 and passed at")],
)
def test_what_flaps_is_unknown_and_says_what_failed(first: Outcome, second: Outcome, words: str) -> None:
    found = seen(look(1, first), look(5, second))
    assert found.outcome is UNKNOWN
    assert words in found.reason
    assert "one topic is bad" in found.reason
    assert [(row.key, row.outcome) for row in found.rows] == [({"topic": "a"}, "unknown")]
    assert (found.failed, found.undecided) == (0, 1)


@pytest.mark.parametrize("first", list(Outcome))
@pytest.mark.parametrize("second", list(Outcome))
def test_what_does_not_flap_is_what_the_second_look_found(first: Outcome, second: Outcome) -> None:
    if {first, second} != {PASS, FAIL}:
        later = look(5, second)
        assert seen(look(1, first), later) is later.results[0]


def test_a_check_that_flaps_is_explained_by_nothing() -> None:
    later = look(5, FAIL)
    cause = CauseFound(cause="ha/x", title="X", says="x", certain=True, explains=["ha/a", "ha/b"], may_explain=["ha/a"])
    later.diagnoses = [Diagnosis(environment="prod", causes=[cause], unexplained=["ha/a", "ha/c"])]
    [said] = agreed(look(1, PASS), later).diagnoses
    assert (said.causes[0].explains, said.causes[0].may_explain, said.unexplained) == (["ha/b"], [], ["ha/c"])
    assert later.diagnoses[0].unexplained == ["ha/a", "ha/c"]  # the second run is left as it is


def test_a_check_of_the_second_look_alone_stays() -> None:
    later = look(5, FAIL)
    assert agreed(empty_run("prod"), later).results == later.results
