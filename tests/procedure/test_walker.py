"""A walk that a program carries out: events come, answers go, and no terminal is looked at."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from runbook.model.errors import UsageError
from runbook.model.result import Result
from runbook.parse.inventory import LEAST_REASON
from runbook.procedure.events import (
    AT_GATE,
    AT_REASON,
    AT_STEP,
    Event,
    GateClosed,
    GateObserved,
    GateOpened,
    GateReached,
    GivingUp,
    Question,
    SetOut,
    StepReached,
    WalkEnded,
    WalkPaused,
)
from runbook.procedure.walk_file import load
from runbook.procedure.walk_record import Done, Ended, Judged, NoteTaken, Overruled, Paused, Shown, Skipped
from runbook.procedure.walk_start import WalkOptions, walk
from runbook.run.judgement.runner import Progress
from runbook.show.walk_screen import WalkScreen
from support.small_runbooks import check_text
from support.small_walks import KEPT, MOVE, walk_by_code

COUNTED = (Progress, Result)


@pytest.fixture
def options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WalkOptions:
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.chdir(tmp_path)
    Path("ours.md").write_text(MOVE, "utf-8")
    return WalkOptions(what="ours.md#move", record=tmp_path / "w.jsonl", by="ada", bundle=KEPT)


def kinds(events: list[Event]) -> list[type]:
    """What was told, without what counts while a gate looks."""
    return [type(event) for event in events if not isinstance(event, COUNTED)]


GATE = [GateReached, GateObserved]


def test_it_tells_what_happens_in_its_order_and_prints_nothing(options: WalkOptions, capfd: pytest.CaptureFixture[str]):
    ending, events = walk_by_code(options, "done", "done", "go on all the same", "it is agreed")
    assert ending == "flawed"
    assert kinds(events) == [
        *(SetOut, *GATE, GateOpened),
        *(StepReached, *GATE, GateOpened),
        *(StepReached, *GATE, GateClosed),
        *(*GATE, GateOpened, WalkEnded),
    ]
    assert capfd.readouterr() == ("", "")


def test_a_gate_tells_its_results_before_it_was_looked_at(options: WalkOptions):
    _, events = walk_by_code(options)
    [result] = [result for result in events if isinstance(result, Result)]
    [looked] = [event for event in events if isinstance(event, GateObserved)]
    assert events.index(result) < events.index(looked)
    assert [run.results for run in looked.runs] == [[result]]


def test_a_closed_gate_says_which_check_closed_it_and_when_to_stop(options: WalkOptions):
    _, events = walk_by_code(options, "done", "done")
    [closed] = [event for event in events if isinstance(event, GateClosed)]
    assert (closed.name, closed.stop) == ("after step 2", "If it is bad.")
    assert [seen.check for seen in closed.seen] == ["ours/bad"]


def test_a_gate_that_had_no_time_for_a_second_look_says_how_to_go_on_with_more(
    options: WalkOptions, capsys: pytest.CaptureFixture[str]
):
    """Nobody listens there, so that the first look is over at once, and the second is not waited for."""
    twice = (
        "facts: {broker: {probe: kafka_broker, looks: 60s}}\n"
        "expect: {window: broker, that: before.answers == after.answers}\ngate: true\n"
    )
    text = MOVE.replace("before: [ha/every-broker-answers]", "before: [steady]") + check_text(twice, "steady")
    Path("ours.md").write_text(text, "utf-8")
    Path("environments.yaml").write_text("environments: {lab: {kafka: {bootstrap.servers: '127.0.0.1:1'}}}\n", "utf-8")
    _, events = walk_by_code(replace(options, bundle=None, deadline=40.0), "pause")
    told = [event for event in events if isinstance(event, (GateClosed, WalkPaused))]
    assert [event.deadline for event in told] == ["120s", "120s"]
    for event in told:
        WalkScreen(color=False).tell(event)
    line = f"runbook procedure walk --resume {options.record} --deadline 120s\n"
    out = capsys.readouterr().out
    assert f"to give it more time: p, and then {line}" in out
    assert f"paused; go on: {line}" in out


def test_giving_up_tells_the_way_back(options: WalkOptions):
    ending, events = walk_by_code(options, "give up", "no time")
    assert ending == "flawed"
    assert [event.undo for event in events if isinstance(event, GivingUp)] == ["Move it back."]
    assert [event.outcome for event in events if isinstance(event, WalkEnded)] == ["given up"]


def test_the_end_of_the_answers_pauses_it(options: WalkOptions):
    ending, events = walk_by_code(options)
    assert ending == "paused"
    assert [(event.reason, event.place) for event in events if isinstance(event, WalkPaused)] == [
        ("the input ended", str(options.record))
    ]


def failing(question: Question) -> str:
    raise AssertionError(question)


def interrupted(_: Question) -> str:
    raise KeyboardInterrupt


def at_a_gate(event: Event) -> None:
    if isinstance(event, Progress):
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("tell", "answer", "judged"), [(lambda _: None, interrupted, 1), (at_a_gate, failing, 0)], ids=["asked", "looking"]
)
def test_an_interrupt_pauses_it_wherever_it_comes(
    options: WalkOptions, tell: Callable[[Event], None], answer: Callable[[Question], str], judged: int
):
    assert walk(options, tell, answer) == "interrupted"
    assert options.record is not None
    entries = load(options.record).entries
    assert isinstance(entries[-1], Paused)
    assert entries[-1].reason == "interrupted"
    assert len([entry for entry in entries if isinstance(entry, Judged)]) == judged


@pytest.mark.parametrize("answer", ["", "d", "look again", "DONE"])
def test_what_is_no_choice_moves_nothing(options: WalkOptions, answer: str):
    with pytest.raises(UsageError, match="is none of done, skip, note, pause, give up"):
        walk(options, lambda _: None, lambda _: answer)
    assert options.record is not None
    assert isinstance(load(options.record).entries[-1], Shown)


@pytest.mark.parametrize("reason", [" ", "p", "agreed", " agreed    "])
def test_what_is_shorter_than_the_reason_of_a_waiver_is_none(options: WalkOptions, reason: str):
    with pytest.raises(UsageError, match="is no reason: a sentence of 10 characters at least, please"):
        walk_by_code(options, "skip", reason)
    assert options.record is not None
    assert not any(isinstance(entry, Skipped) for entry in load(options.record).entries)


def test_what_may_be_answered_in_place_of_a_reason_can_not_be_taken_for_one():
    assert all(len(choice) < LEAST_REASON for choice in AT_REASON)


def test_who_is_asked_for_a_reason_may_go_back_pause_or_give_up(options: WalkOptions):
    ending, _ = walk_by_code(
        options, *("done", "done"), *("go on all the same", "back"), *("go on all the same", "pause")
    )
    assert ending == "paused"
    assert options.record is not None
    ending, _ = walk_by_code(replace(options, what="", resume=str(options.record)), "go on all the same", "give up", "")
    assert ending == "flawed"
    entries = load(options.record).entries
    assert [type(entry) for entry in entries if isinstance(entry, Paused | Overruled | Ended)] == [Paused, Ended]


def test_a_note_is_on_the_record_and_the_walk_stays_where_it_is(options: WalkOptions):
    notes = ("note", " ada decides ", "note", " ", "done", "done", "note", "the owners were told")
    ending, events = walk_by_code(options, *notes, "pause")
    assert ending == "paused"
    assert options.record is not None
    noted = [entry for entry in load(options.record).entries if isinstance(entry, NoteTaken)]
    assert [(entry.stage, entry.by, entry.text) for entry in noted] == [
        ("step 1", "ada", "ada decides"),
        ("after step 2", "ada", "the owners were told"),
    ]
    assert [event.number for event in events if isinstance(event, StepReached)] == [1, 2]


def test_questions_say_what_can_be_answered(options: WalkOptions):
    asked: list[Question] = []
    answers = iter(["done", "done", "go on all the same", "it is agreed"])

    def answer(question: Question) -> str:
        asked.append(question)
        return next(answers)

    walk(options, lambda _: None, answer)
    assert asked == [
        *(Question(AT_STEP), Question(AT_STEP), Question(AT_GATE)),
        Question(AT_REASON, "why go on?"),
    ]


def test_what_was_answered_is_on_the_record_before_the_next_thing_is_told(options: WalkOptions):
    seen: list[int] = []

    def tell(event: Event) -> None:
        if isinstance(event, StepReached) and event.number == 2:
            assert options.record is not None
            entries = load(options.record).entries
            seen.extend(sum(isinstance(entry, kind) for entry in entries) for kind in (Done, Shown))

    answers = iter(["done", "done", "go on all the same", "it is agreed"])
    walk(options, tell, lambda _: next(answers))
    assert seen == [1, 1]


def test_going_through_a_closed_gate_is_who_walks_it(options: WalkOptions):
    walk_by_code(options, "done", "done", "go on all the same", "it is agreed")
    assert options.record is not None
    [through] = [entry for entry in load(options.record).entries if isinstance(entry, Overruled)]
    assert (through.by, through.reason) == ("ada", "it is agreed")
