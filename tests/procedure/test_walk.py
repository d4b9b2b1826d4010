"""Where a walk stands, by what has happened on it."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runbook.model.block import GateCheck, Procedure, Step
from runbook.model.result import Outcome
from runbook.procedure.walk import CheckAt, Walk, WalkRefused, lacks, stages
from runbook.procedure.walk_record import (
    Done,
    Ended,
    Entry,
    GateSeen,
    Judged,
    Overruled,
    Paused,
    Resumed,
    Shown,
    Skipped,
)
from support.small_walks import AT, BEFORE, BEGUN, MOVED, PROCEDURE, WHOLE, done, judged, seen

NOT_OPEN = seen(Outcome.FAIL, "moved") + seen(Outcome.PASS, "ha/every-broker-answers")


def at(*entries: Entry) -> str:
    stage = Walk(PROCEDURE, [BEGUN, *entries]).stage
    return stage.name if stage else "the end"


def test_stages_are_the_gates_and_steps_in_order():
    assert [stage.name for stage in stages(PROCEDURE)] == ["before", "step 1", "step 2", "after step 2", "after"]
    assert [stage.is_gate for stage in stages(PROCEDURE)] == [True, False, False, True, True]


def test_a_procedure_without_checks_has_steps_only():
    assert [stage.name for stage in stages(Procedure(id="a", title="Any", steps=[Step(do="It.")]))] == ["step 1"]


def test_each_happening_leads_to_the_next_stage():
    assert [at(*WHOLE[1 : i + 1]) for i in range(len(WHOLE) - 1)] == [stage.name for stage in stages(PROCEDURE)] + [
        "the end"
    ]
    assert Walk(PROCEDURE, WHOLE).is_over
    assert Walk(PROCEDURE, WHOLE).exceptions == []


@pytest.mark.parametrize("outcome", [Outcome.FAIL, Outcome.UNKNOWN])
def test_a_gate_that_is_not_known_to_be_so_stays_closed(outcome: Outcome):
    closed = judged("before", seen(outcome, "all-is-well"))
    assert not closed.open
    assert at(closed) == "before"


def test_a_waived_failure_keeps_a_gate_closed():
    found = [GateSeen("small/all-is-well", Outcome.FAIL, "it is not", waived=True)]
    assert at(judged("before", found)) == "before"


def test_a_check_that_does_not_apply_keeps_no_gate_closed():
    assert at(judged("before", seen(Outcome.NOT_APPLICABLE, "all-is-well"))) == "step 1"


@pytest.mark.parametrize(("unobserved", "stands"), [(True, "step 1"), (False, "before")])
def test_what_nobody_is_to_look_at_keeps_no_gate_closed_and_what_was_not_found_out_does(
    *, unobserved: bool, stands: str
):
    found = [GateSeen("small/all-is-well", Outcome.UNKNOWN, "nobody looks", unobserved=unobserved)]
    assert at(judged("before", found)) == stands


def test_a_gate_of_which_one_check_was_not_judged_is_refused():
    with pytest.raises(WalkRefused, match="moved is missing"):
        at(BEFORE, done(1), done(2), judged("after step 2", seen(Outcome.PASS, "ha/every-broker-answers")))


def test_one_check_about_two_subjects_closes_a_gate_by_either():
    found = [*seen(Outcome.PASS, "all-is-well"), GateSeen("small/all-is-well", Outcome.FAIL, "no", subject="a→b")]
    assert at(judged("before", found)) == "before"


def test_a_closed_gate_is_gone_through_with_a_reason_and_stays_on_record():
    through = Overruled("after step 2", "ada", AT, "the owner says so", ["small/moved"])
    walk = Walk(PROCEDURE, [BEGUN, BEFORE, done(1), done(2), judged("after step 2", NOT_OPEN), through])
    assert walk.stage is not None
    assert walk.stage.name == "after"
    assert walk.exceptions == [through]


@pytest.mark.parametrize("reason", ["", "  ", "\t\n"])
def test_nothing_is_gone_over_without_a_reason(reason: str):
    walk = Walk(PROCEDURE, [BEGUN, judged("before", seen(Outcome.FAIL, "all-is-well"))])
    with pytest.raises(WalkRefused, match="write down a reason"):
        walk.take(Overruled("before", "ada", AT, reason, []))
    with pytest.raises(WalkRefused, match="write down a reason"):
        at(BEFORE, Skipped("step 1", "ada", AT, reason))
    assert walk.stage is not None
    assert walk.stage.name == "before"


def test_a_gate_that_nobody_looked_at_is_not_gone_through():
    with pytest.raises(WalkRefused, match="was not looked at"):
        at(Overruled("before", "ada", AT, "no time", []))


def test_the_gate_after_a_skipped_step_still_stands():
    assert at(BEFORE, done(1), Skipped("step 2", "ada", AT, "was done yesterday")) == "after step 2"


def test_a_closed_gate_opens_when_it_is_so_at_the_next_look():
    assert at(judged("before", seen(Outcome.FAIL, "all-is-well")), BEFORE) == "step 1"


def test_what_a_gate_saw_before_a_pause_is_looked_at_again():
    pause = [Paused("ada", AT), Resumed("bob", AT, attended=True)]
    assert at(BEFORE, *pause) == "before"
    assert at(BEFORE, done(1), *pause) == "step 2"
    assert at(BEFORE, done(1), done(2), MOVED, *pause) == "after step 2"


def test_a_reason_from_before_a_pause_does_not_carry_over():
    closed = judged("before", seen(Outcome.FAIL, "all-is-well"))
    through = Overruled("before", "ada", AT, "for now", [])
    assert at(closed, through, Paused("ada", AT), Resumed("ada", AT, attended=True)) == "before"
    with pytest.raises(WalkRefused, match="was not looked at"):
        at(closed, Paused("ada", AT), Resumed("ada", AT, attended=True), through)


def test_a_walk_goes_on_after_a_crash_that_recorded_no_pause():
    assert at(BEFORE, Shown("step 1", AT), Resumed("ada", AT, attended=True)) == "before"


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([], "begins once"),
        ([BEGUN, BEGUN], "begins once"),
        ([BEGUN, done(1)], "the gate before does"),
        ([BEGUN, BEFORE, done(2)], "step 1 does"),
        ([BEGUN, BEFORE, BEFORE], "step 1 does"),
        ([BEGUN, BEFORE, Shown("step 2", AT)], "step 1 does"),
        ([BEGUN, BEFORE, Ended("completed", "ada", AT)], "it is not at its end"),
        ([BEGUN, Paused("ada", AT), BEFORE], "resume it first"),
        ([*WHOLE, Paused("ada", AT)], "has ended"),
        ([*WHOLE, Resumed("ada", AT, attended=True)], "has ended"),
        ([*WHOLE[:-1], done(2)], "the end does"),
    ],
)
def test_what_can_not_happen_there_is_refused_with_what_can(entries: list[Entry], said: str):
    with pytest.raises(WalkRefused, match=said):
        Walk(PROCEDURE, entries or [BEFORE])


def test_it_can_be_given_up_anywhere():
    for i in range(1, len(WHOLE)):
        walk = Walk(PROCEDURE, [*WHOLE[:i], Ended("given up", "ada", AT)])
        assert walk.is_over


def moves(walk: Walk) -> Iterable[Entry]:
    """All that may be tried at a walk, wherever it stands."""
    for name in ("before", "step 1", "step 2", "after step 2", "after"):
        yield Done(name, "ada", AT)
        yield Skipped(name, "ada", AT, "why not")
        yield Overruled(name, "ada", AT, "why not", [])
        checks = next(stage.checks for stage in walk.stages if stage.name == name)
        yield from (judged(name, seen(outcome, *checks)) for outcome in Outcome)
    yield from (Paused("ada", AT), Resumed("ada", AT, attended=True))
    yield from (Ended("given up", "ada", AT), Ended("completed", "ada", AT))


@given(st.lists(st.integers(0, 99), max_size=60))
def test_whatever_is_tried_no_walk_completes_past_a_gate_that_is_neither_open_nor_reasoned(tried: list[int]):
    walk = Walk(PROCEDURE, [BEGUN])
    everything = list(moves(walk))
    for number in tried:
        before = (walk.stage, walk.paused, walk.is_over, len(walk.entries))
        try:
            walk.take(everything[number % len(everything)])
        except WalkRefused:
            assert (walk.stage, walk.paused, walk.is_over, len(walk.entries)) == before
    again = Walk(PROCEDURE, walk.entries)
    assert (again.stage, again.paused, again.is_over) == (walk.stage, walk.paused, walk.is_over)
    if walk.ended is not None and walk.ended.outcome == "completed":
        for stage in walk.stages:
            last = [entry for entry in walk.entries if getattr(entry, "stage", "") == stage.name][-1]
            if stage.is_gate:
                assert isinstance(last, Overruled) or (isinstance(last, Judged) and last.open)
            else:
                assert isinstance(last, (Done, Skipped))


TWO = Procedure(
    id="over",
    title="Fail over",
    before=["well", GateCheck("well", "source"), GateCheck("well", "target")],
    steps=[Step(do="Go.")],
)


def test_one_check_may_be_asked_of_both_environments_and_each_must_answer():
    [gate] = [stage for stage in stages(TWO) if stage.is_gate]
    found = [GateSeen("small/well", Outcome.PASS, "so"), GateSeen("small/well", Outcome.PASS, "so", at="source")]
    assert lacks(gate, found) == [CheckAt("well", "target")]
    assert str(gate.checks[1]) == "well at the source"
