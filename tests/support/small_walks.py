"""A small procedure, and what happens on a walk through it."""

from pathlib import Path

import msgspec
import pytest

from runbook.evidence.chain import START
from runbook.model.block import Procedure, Step
from runbook.model.result import Outcome
from runbook.procedure.events import Event, NobodyAnswers, Question
from runbook.procedure.walk import closing
from runbook.procedure.walk_file import walks_home
from runbook.procedure.walk_record import Begun, Done, Ended, Entry, GateSeen, Judged, lines_of
from runbook.procedure.walk_start import WalkOptions, walk
from runbook.procedure.walker import Ending
from support.small_runbooks import FRONT, check_text

AT = "2026-11-22T02:00:00.000Z"
PROCEDURE = Procedure(
    id="move",
    title="Move it",
    before=["all-is-well"],
    steps=[Step(do="Look."), Step(do="Move.", verify=["moved", "ha/every-broker-answers"])],
    after=["all-is-well"],
)
BEGUN = Begun(
    walk="w",
    procedure="small/move",
    title="Move it",
    runbook="small",
    runbook_version="1.0.0",
    runbook_digest="",
    where="small.md",
    procedure_digest="d",
    environment="prod",
    by="ada",
    at=AT,
    attended=True,
    steps=["Look.", "Move."],
    tool_version="0",
)


def seen(outcome: Outcome, *checks: str) -> list[GateSeen]:
    return [GateSeen(check if "/" in check else f"small/{check}", outcome, "so it is") for check in checks]


def judged(stage: str, found: list[GateSeen]) -> Judged:
    return Judged(stage, AT, 5, not closing(found), found)


def passing(stage: str, *checks: str) -> Judged:
    return judged(stage, seen(Outcome.PASS, *checks))


def done(number: int) -> Done:
    return Done(f"step {number}", "ada", AT)


BEFORE = passing("before", "all-is-well")
MOVED = passing("after step 2", "moved", "ha/every-broker-answers")
AFTER = passing("after", "all-is-well")
WHOLE: list[Entry] = [BEGUN, BEFORE, done(1), done(2), MOVED, AFTER, Ended("completed", "ada", AT)]


def written(entries: list[Entry], walk: str = "w") -> bytes:
    """The record that these entries of a walk leave."""
    content, link = b"", START
    for before, entry in enumerate(entries):
        line, link = lines_of(msgspec.to_builtins(entry), walk, link, before)
        content += line
    return content


def own_records(state: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder of records, beneath this one."""
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    folder = walks_home()
    folder.mkdir(parents=True)
    return folder


_STEPS = """```yaml {.procedure}
id: move
title: Move it
risk: None.
before: [ha/every-broker-answers]
steps:
  - do: Look at it.
    command: rm -rf /never
    verify: [good]
  - do: Move it.
    verify: [bad]
    stop: If it is bad.
after: [good]
undo: Move it back.
```
"""
_BROKERS = "facts: {broker: {probe: kafka_broker}}\n"
_JUDGED = _BROKERS + "expect: {each: broker, that: 'BROKER', message: 'it is {broker.host}'}\n"
_DARK = "facts: {broker: {probe: kafka_broker_config}}\nexpect: {each: broker, that: 'true'}\n"
MOVE = (
    FRONT
    + check_text(_JUDGED.replace("BROKER", "!broker.fenced"), "good")
    + check_text(_JUDGED.replace("BROKER", "broker.fenced"), "bad")
    + check_text(_DARK, "dark")
    + _STEPS
)
"""A runbook of a check that passes over `KEPT`, one that fails, and a procedure that needs both."""
KEPT = Path(__file__).parents[1] / "cases" / "ha" / "healthy.json"


def walk_by_code(options: WalkOptions, *answers: str) -> tuple[Ending, list[Event]]:
    """Walk as a script would; gives how it ended and what it was told, questions aside."""
    events: list[Event] = []
    left = iter(answers)

    def answer(question: Question) -> str:
        given = next(left, None)
        if given is None:
            raise NobodyAnswers
        assert given in question.choices or question.text, (given, question)
        return given

    return walk(options, events.append, answer), events
