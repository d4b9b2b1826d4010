"""A procedure on its way: which stage it is at, what may happen there, and what each happening does.

Pure: no terminal, no clock, no file, no cluster. What happens is an entry (`procedure/walk_record.py`); where a walk
stands follows from its entries alone, so that one which was paused, or whose machine died, goes on where it was.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from runbook.model.block import GateCheck, GateEntry, Procedure
from runbook.model.errors import UsageError
from runbook.model.result import Outcome
from runbook.procedure.walk_record import (
    Begun,
    Done,
    Ended,
    Entry,
    GateSeen,
    Judged,
    Measured,
    NoteTaken,
    Overruled,
    Paused,
    Resumed,
    Shown,
    Sighting,
    Skipped,
)

BEFORE: Final = "before"
AFTER: Final = "after"
OPENING: Final = (Outcome.PASS, Outcome.NOT_APPLICABLE)
"""Outcomes that keep no gate closed, as does what nobody is to look at: that is for whoever walks to see. A waiver
opens none: it excuses a failure from the score, not from being one."""


class WalkRefused(UsageError):  # noqa: N818 - reads as a sentence
    """What was asked of a walk is not possible where it stands; the message says why, and what is."""


class CheckAt(NamedTuple):
    """A check of a gate, and at which of two environments it looks; "" for where the walk is, or the link."""

    check: str
    at: str = ""

    def __str__(self) -> str:
        return f"{self.check} at the {self.at}" if self.at else self.check


class Stage(Struct, frozen=True):
    """A step, or a gate: checks that must not fail before it goes on.

    Attributes:
        name: before, step 1, after step 1, …, after.
        step: the step's number, counted from 1; 0 for the first gate and the last.
        checks: those of a gate, as the procedure names them; none for a step.
    """

    name: str
    step: int = 0
    checks: tuple[CheckAt, ...] = ()

    @property
    def is_gate(self) -> bool:
        """Whether it is a gate."""
        return bool(self.checks)


def stages(procedure: Procedure) -> tuple[Stage, ...]:
    """The steps and gates of a procedure, in the order in which they are come to."""
    found = [Stage(BEFORE, 0, _asked(procedure.before))] if procedure.before else []
    for number, step in enumerate(procedure.steps, 1):
        found.append(Stage(f"step {number}", number))
        if step.verify:
            found.append(Stage(f"after step {number}", number, _asked(step.verify)))
    if procedure.after:
        found.append(Stage(AFTER, 0, _asked(procedure.after)))
    return tuple(found)


def _asked(entries: Sequence[GateEntry]) -> tuple[CheckAt, ...]:
    return tuple(
        CheckAt(entry.check, entry.at) if isinstance(entry, GateCheck) else CheckAt(entry) for entry in entries
    )


def closing(seen: Iterable[GateSeen]) -> list[GateSeen]:
    """Those that keep a gate closed: what is not so, and what could not be found out though somebody looks."""
    return [check for check in seen if check.outcome not in OPENING and not check.unobserved]


class Walk:
    """Where a walk stands. `take` is given each entry, when it happens or when it is read again."""

    def __init__(self, procedure: Procedure, entries: Iterable[Entry] = ()) -> None:
        """Begin at the beginning, or where these entries lead.

        Raises:
            WalkRefused: they are no entries of a walk through this procedure.
        """
        self.stages = stages(procedure)
        self.judged: Judged | None = None
        self.paused = False
        self.ended: Ended | None = None
        self.entries: list[Entry] = []
        self._at = 0
        for entry in entries:
            self.take(entry)

    @property
    def stage(self) -> Stage | None:
        """The stage it is at; None when all are behind it."""
        return self.stages[self._at] if self._at < len(self.stages) else None

    @property
    def is_over(self) -> bool:
        """Whether it was ended: nothing can happen any more."""
        return self.ended is not None

    @property
    def exceptions(self) -> list[Skipped | Overruled]:
        """The steps that were skipped and the gates that were gone through closed."""
        return [entry for entry in self.entries if isinstance(entry, (Skipped, Overruled))]

    def take(self, entry: Entry) -> None:
        """Let something happen.

        Raises:
            WalkRefused: it can't, where the walk stands; nothing has changed.
        """
        self._refuse_out_of_order(entry)
        match entry:
            case Judged():
                self._judge(entry)
            case Done():
                self._step(entry.stage)
                self._go_on()
            case Skipped():
                self._step(entry.stage)
                _reasoned(entry.reason, f"skip {entry.stage}")
                self._go_on()
            case Overruled():
                self._overrule(entry)
            case Shown():
                self._step(entry.stage)
            case Paused():
                self.paused = True
            case Resumed():
                self._resume()
            case Ended():
                self._end(entry)
            case Begun() | NoteTaken() | Sighting() | Measured():
                pass
        self.entries.append(entry)

    def _refuse_out_of_order(self, entry: Entry) -> None:
        if isinstance(entry, Begun) is bool(self.entries):
            raise WalkRefused("a walk begins once, with its first entry")
        if self.ended is not None:
            raise WalkRefused(f"this walk has ended: it was {self.ended.outcome}; walk the procedure anew")
        if self.paused and not isinstance(entry, Resumed):
            raise WalkRefused("this walk is paused: resume it first")

    def _go_on(self) -> None:
        self._at += 1
        self.judged = None

    def _step(self, name: str) -> None:
        stage = self.stage
        if stage is None or stage.is_gate or stage.name != name:
            raise WalkRefused(f"{name} is not what comes now: {self._comes()}")

    def _gate(self, name: str) -> Stage:
        stage = self.stage
        if stage is None or not stage.is_gate or stage.name != name:
            raise WalkRefused(f"the gate {name} is not what comes now: {self._comes()}")
        return stage

    def _comes(self) -> str:
        stage = self.stage
        if stage is None:
            return "the end does"
        return f"the gate {stage.name} does" if stage.is_gate else f"{stage.name} does"

    def _judge(self, entry: Judged) -> None:
        stage = self._gate(entry.stage)
        lacking = lacks(stage, entry.seen)
        if lacking:
            missing = ", ".join(map(str, lacking))
            raise WalkRefused(f"the gate {stage.name} was not judged as a whole: {missing} is missing")
        if closing(entry.seen):
            self.judged = entry
        else:
            self._go_on()

    def _overrule(self, entry: Overruled) -> None:
        stage = self._gate(entry.stage)
        if self.judged is None:
            raise WalkRefused(f"the gate {stage.name} was not looked at: it is unknown what the reason would be about")
        _reasoned(entry.reason, f"go on through the closed gate {stage.name}")
        self._go_on()

    def _resume(self) -> None:
        # What a gate saw before the pause may not be so any more: the last one is looked at again.
        self.paused = False
        self.judged = None
        if self._at and self.stages[self._at - 1].is_gate:
            self._at -= 1

    def _end(self, entry: Ended) -> None:
        if entry.outcome == "completed" and self.stage is not None:
            raise WalkRefused(f"it is not at its end: {self._comes()}")
        self.ended = entry


def lacks(stage: Stage, seen: Sequence[GateSeen]) -> list[CheckAt]:
    """The checks of a gate of which nothing was seen."""
    return [asked for asked in stage.checks if not any(_answers(check, asked) for check in seen)]


def _answers(seen: GateSeen, asked: CheckAt) -> bool:
    return seen.at == asked.at and (seen.check == asked.check or seen.check.endswith(f"/{asked.check}"))


def _reasoned(reason: str, what: str) -> None:
    if not reason.strip():
        raise WalkRefused(f"to {what}, write down a reason")
