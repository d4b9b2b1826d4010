"""What an incident is, and in which class an answer to it falls."""

import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Literal

from msgspec import Struct

from kafka_lab import LabState

Class = Literal["named", "later", "unknown", "unexplained", "silent", "wrong"]
CLASSES: dict[Class, str] = {
    "named": "named in the first three lines",
    "later": "right, but later",
    "unknown": "honestly unknown",
    "unexplained": "findings, and not their cause",
    "silent": "all is well, it says",
    "wrong": "another cause, or a pass that must not be",
}


class Asked(Struct, frozen=True):
    """How the command is asked while the incident lasts.

    Attributes:
        kafka: settings of the connection in place of the lab's; None takes one away.
        cluster_id: the pinned id in place of the lab's.
        number: the broker it is about where that differs from time to time; it stands for N in what is expected.
    """

    kafka: Mapping[str, Any] = {}
    cluster_id: str = ""
    number: int = 0


Play = Callable[[LabState], AbstractContextManager[Asked]]
"""Brings it about, and at its end takes back all that healing a lab does not."""


class Incident(Struct, frozen=True):
    """One incident.

    Attributes:
        name: by which it is chosen.
        before: the class that its answer was in when the incidents were first played.
        play: see Play.
        says: what the first three lines must say, as a regular expression; "" where nothing should be said.
        causes: the causes that may be named, without their runbook; any other is wrong.
        fails: checks of which none may pass.
        runbook: which one is asked.
        more: options of the command.
        parts: what the lab has beside its brokers.
        why: why facts can't tell more, where they can't.
    """

    name: str
    before: Class
    play: Play
    says: str
    causes: tuple[str, ...] = ()
    fails: tuple[str, ...] = ()
    runbook: str = "ha"
    more: tuple[str, ...] = ()
    parts: tuple[str, ...] = ("proxies",)
    why: str = ""


class Answer(Struct):
    """What the command said.

    Attributes:
        code: its exit code.
        seconds: how long it took.
        lines: of its answer, without the head.
        causes: those that were named, without their runbook, in their order.
        first: what to do first, of the first cause.
        outcomes: check, without its runbook → outcome.
        number: see Asked.
    """

    code: int
    seconds: float
    lines: list[str]
    causes: list[str]
    first: str
    outcomes: dict[str, str]
    number: int = 0


def class_of(incident: Incident, answer: Answer) -> Class:
    """The class of an answer."""
    if wrongs(incident, answer):
        return "wrong"
    if not incident.says:
        return "named" if answer.code == 0 else "unexplained"
    wanted = re.compile(incident.says.replace("{N}", str(answer.number)), re.IGNORECASE)
    if wanted.search(_flow(answer.lines[:3])):
        return "named"
    if wanted.search(_flow(answer.lines)):
        return "later"
    return {0: "silent", 3: "unknown"}.get(answer.code, "unexplained")  # type: ignore[return-value]


def wrongs(incident: Incident, answer: Answer) -> list[str]:
    """What is wrong in an answer: causes that are none, and checks that passed."""
    others = [f"cause {cause}" for cause in answer.causes if cause not in incident.causes]
    return others + [f"pass {fail}" for fail in incident.fails if answer.outcomes.get(fail) == "pass"]


def _flow(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())
