"""A small procedure, and what happens on a walk through it."""

import msgspec

from runbook.evidence.chain import START
from runbook.model.block import Procedure, Step
from runbook.model.result import Outcome
from runbook.procedure.walk import closing
from runbook.procedure.walk_record import Begun, Done, Ended, Entry, GateSeen, Judged, lines_of

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


def written(entries: list[Entry]) -> bytes:
    """The record that these entries leave."""
    content, link = b"", START
    for before, entry in enumerate(entries):
        line, link = lines_of(msgspec.to_builtins(entry), "w", link, before)
        content += line
    return content
