"""A procedure of two sites over kept facts, and a canary that is played: what tests of drills share."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runbook.model.errors import Denied
from runbook.procedure.walk_file import load
from runbook.procedure.walk_record import Judged, Measured

BUNDLE = Path(__file__).parents[1] / "cases" / "ha" / "healthy.json"
Command = Callable[..., Any]
PROCEDURE = """```yaml {.procedure}
id: failover
title: Fail over
loses: source
before: [answers, linked, {check: answers, at: source}]
steps:
  - do: Point producers at the standby.
    switch: writers
    verify: [answers]
```
"""
ANSWERS = "facts: {broker: {probe: kafka_broker}}\nexpect: {each: broker, that: '!broker.fenced'}\n"
LINKED = """over: link
facts: {here: {probe: kafka_broker, at: source}, there: {probe: kafka_broker, at: target}}
expect: {each: there, that: '!there.fenced'}
"""
ENDS = ("--env", "eu", "--to", "us")
INVENTORY = """environments: {eu: {kafka: {bootstrap.servers: "127.0.0.1:1"}}, us: {}}
mirrors: [{from: eu, to: us, canary: {}}]
"""


ALONE = "environments: {us: {canary: {}}}\n"
WHERE = "before: [answers, linked, {check: answers, at: source}]\n"


class Watched:
    """A canary that is played: what it was told, and figures that are made up."""

    def __init__(self, why: str = "") -> None:
        self.why = why
        self.events: list[str] = []

    def begin(self, say: Callable[[str], None]) -> None:
        """Begin, or say why not."""
        say("it waits")
        self.events.append("begin")
        if self.why:
            raise Denied(self.why)

    def switch(self) -> str:
        """Note it."""
        self.events.append("switch")
        return "it moves"

    def status(self) -> str:
        """Say something."""
        return "canary: it flies"

    def measure(self, say: Callable[[str], None]) -> Measured:
        """Some figures are known, and one is not."""
        say("it lands")
        self.events.append("measure")
        unknown = {"rto_read": "nobody read"}
        return Measured(
            at="2026-11-22T03:00:00.000Z",
            acknowledged=900,
            rpo_records=7,
            unknown=unknown,
            left=["t at eu"],
            caveats=["it was windy"],
        )

    def abandon(self, reason: str) -> Measured:
        """Nothing is known."""
        self.events.append(f"abandon: {reason}")
        return Measured(at="2026-11-22T03:00:00.000Z", unknown={"rpo_records": reason})


def drop(kept: Path, site: str) -> None:
    """Make a site dark: of it nothing was found out."""
    bundle = json.loads(kept.read_text("utf-8"))
    bundle["kept"] = [entry for entry in bundle["kept"] if entry["ask"]["environment"] != site]
    kept.write_text(json.dumps(bundle), "utf-8")


def judged(record: Path) -> list[Judged]:
    return [entry for entry in load(record).entries if isinstance(entry, Judged)]


def fly(command: Command, monkeypatch: pytest.MonkeyPatch, answers: str) -> Any:
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    words = ("--allow-canary", "--no-terminal", "--by", "ada", "--record", "d.jsonl")
    return command("drill", "ours.md#failover", *ENDS, *words)


def measured() -> list[Measured]:
    return [entry for entry in load(Path("d.jsonl")).entries if isinstance(entry, Measured)]
