"""Walk with a person: say what comes, ask, record. What may happen when is `runbook.procedure.walk`'s to say."""

from collections.abc import Callable
from typing import Final, Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace

from runbook.model import moment
from runbook.model.block import Procedure
from runbook.parse.inventory import LEAST_REASON
from runbook.procedure.events import (
    AT_GATE,
    AT_REASON,
    AT_STEP,
    Answer,
    Choice,
    FiguresKnown,
    GateClosed,
    GateObserved,
    GateOpened,
    GateReached,
    GivingUp,
    LossObserved,
    NobodyAnswers,
    Question,
    Said,
    StepReached,
    Tell,
    Underway,
    WalkEnded,
    WalkPaused,
)
from runbook.procedure.gates import Gates
from runbook.procedure.loss_monitor import LossMonitor
from runbook.procedure.loss_seen import loss_seen, with_loss
from runbook.procedure.walk import Stage, Walk, WalkRefused, closing
from runbook.procedure.walk_file import WalkFile
from runbook.procedure.walk_record import (
    Done,
    Ended,
    Entry,
    Judged,
    Measured,
    NoteTaken,
    Overruled,
    Paused,
    Shown,
    Skipped,
)
from runbook.run.planning.deadline import longer_deadline

Ending = Literal["completed", "flawed", "paused", "interrupted"]
"""How a walk came to its end: `flawed` is one that was given up, or completed with exceptions."""
END: Final = "end"
_FIGURES: Final = ("rpo_records", "rpo_seconds", "duplicates", "rto_write", "rto_read")


class Watch(Protocol):
    """What measures a drill while it is walked (`runbook.canary`)."""

    def begin(self, say: Callable[[str], None]) -> None:
        """Begin to measure; may take minutes, and says how it goes."""

    def switch(self) -> str:
        """Producers move to the target; what it does then, in a line."""

    def status(self) -> str:
        """How it goes, in a line."""

    def measure(self, say: Callable[[str], None]) -> Measured:
        """End, and give what was found out."""

    def abandon(self, reason: str) -> Measured:
        """End before the time; nothing was found out."""


class Walker(Struct):
    """A walk with its record and its gates; `tell` reports to the person who walks it, `answer` gets what they say.

    A drill has a `loss_monitor` too, which sees whether what is to be lost is lost; and a `watch`, if it is measured.
    """

    procedure: Procedure
    walk: Walk
    file: WalkFile
    gates: Gates
    by: str
    tell: Tell
    answer: Answer
    watch: Watch | None = None
    loss_monitor: LossMonitor | None = None

    def go(self) -> Ending:
        """Walk until it is over or paused; a Ctrl-C pauses it, as the end of all answers does."""
        try:
            self._look(self.walk.stage.name if self.walk.stage else END)
            while not self.walk.is_over:
                stage = self.walk.stage
                if stage is None:
                    self._look(END)
                    self._measure()
                    self._take(Ended("completed", self.by, moment.now()))
                elif (self._gate if stage.is_gate else self._step)(stage):
                    return "paused"
        except NobodyAnswers:
            self._pause("the input ended")
            return "paused"
        except KeyboardInterrupt:
            self._pause("interrupted")
            return "interrupted"
        return self._end()

    def break_off(self) -> None:
        """End the canary, if there still is one: whatever went wrong, its topics are removed."""
        if self.watch is not None:
            self.watch.abandon("the drill broke off")

    def _take(self, entry: Entry) -> None:
        """Let something happen: refused where it can't, then on the disk before anything else."""
        self.walk.take(entry)
        self.file.append(entry)

    def _step(self, stage: Stage) -> bool:
        """Show a step and take the answer; whether the walk is paused."""
        step = self.procedure.steps[stage.step - 1]
        self.tell(StepReached(stage.step, len(self.procedure.steps), step))
        self._take(Shown(stage.name, moment.now()))
        if self.watch:
            self.tell(Said(self.watch.status()))
        choice, reason = self._decide(AT_STEP, "skip", "why is it skipped?")
        match choice:
            case "done":
                self._take(Done(stage.name, self.by, moment.now()))
                if step.switch and self.watch:
                    self.tell(Said(self.watch.switch()))
                self._look(stage.name)
            case "skip":
                self._take(Skipped(stage.name, self.by, moment.now(), reason))
                self._look(stage.name)
            case other:
                return self._leave(other)
        return False

    def _gate(self, stage: Stage) -> bool:
        """Look, and if it stays closed take the answer; whether the walk is paused."""
        self.tell(GateReached(stage))
        looked = self.gates.look(stage, self.tell)
        self.tell(GateObserved(looked.runs))
        self._take(looked.entry)
        self._look(stage.name)
        if looked.entry.open:
            self.tell(GateOpened(stage.name))
            return False
        return self._closed(stage, looked.entry)

    def _closed(self, stage: Stage, judged: Judged) -> bool:
        closed = closing(judged.seen)
        self.tell(GateClosed(stage.name, closed, self._stop(stage), str(self.file.path), self._longer()))
        choice, reason = self._decide(AT_GATE, "go on all the same", "why go on?")
        match choice:
            case "look again":
                pass
            case "go on all the same":
                checks = [seen.check for seen in closed]
                self._take(Overruled(stage.name, self.by, moment.now(), reason, checks))
            case other:
                return self._leave(other)
        return False

    def _stop(self, stage: Stage) -> str:
        return self.procedure.steps[stage.step - 1].stop if stage.step else ""

    def _leave(self, how: Choice) -> bool:
        if how == "pause":
            self._pause("")
            return True
        self.tell(GivingUp(self.procedure.undo.strip()))
        reason = self.answer(Question(text="why?"))
        self._measure()
        self._take(Ended("given up", self.by, moment.now(), reason))
        return False

    def _look(self, stage: str) -> None:
        """Look for the loss that the drill is to show, until it was seen."""
        if self.loss_monitor is None or loss_seen(self.walk.entries).seen:
            return
        looks = self.loss_monitor.look(stage, self.tell)
        for look in looks:
            self._take(look)
        found = loss_seen(self.walk.entries)
        self.tell(LossObserved(looks, found if found.seen else None))

    def _measure(self) -> None:
        """End the canary, if there is one, and write down what was found out; once."""
        if self.watch is None:
            if self.loss_monitor is not None:
                self._measured(self._unmeasured())
            return
        watch, self.watch = self.watch, None
        try:
            measured = watch.measure(lambda text: self.tell(Underway(text)))
        except KeyboardInterrupt:
            measured = watch.abandon("it was interrupted while it was being measured")
        self._measured(measured)

    def _unmeasured(self) -> Measured:
        """What is known without a canary: no figure, or what one told that was ended by a pause."""
        measured = [entry for entry in self.walk.entries if isinstance(entry, Measured)]
        if measured:
            return replace(measured[-1], at=moment.now())
        return Measured(at=moment.now(), unknown=dict.fromkeys(_FIGURES, "no canary measured them (--allow-canary)"))

    def _measured(self, measured: Measured) -> None:
        if self.loss_monitor is not None:
            measured = replace(measured, caveats=with_loss(measured.caveats, self.walk.entries))
        self._take(measured)
        self.tell(FiguresKnown(measured, link=bool(self.gates.source)))

    def _pause(self, reason: str) -> None:
        if self.watch is not None and not self.walk.is_over:
            watch, self.watch = self.watch, None
            self._measured(watch.abandon("the drill was paused, which ends the canary"))
        if not self.walk.is_over:
            self._take(Paused(self.by, moment.now(), reason))
        self.tell(WalkPaused(reason, str(self.file.path), self._longer()))

    def _longer(self) -> str:
        """The deadline that the gate it is at wants, if the one it had left no time for a second look."""
        judged = self.walk.judged
        return longer_deadline(seen.deadline for seen in closing(judged.seen)) if judged else ""

    def _end(self) -> Ending:
        exceptions = self.walk.exceptions
        ended = self.walk.ended
        outcome = ended.outcome if ended else ""
        self.tell(WalkEnded(outcome, exceptions, str(self.file.path)))
        return "completed" if outcome == "completed" and not exceptions else "flawed"

    def _decide(self, choices: tuple[Choice, ...], reasoned: Choice, question: str) -> tuple[Choice, str]:
        """Ask for one of the choices, and for the reason of the one that needs one; who goes back is asked again."""
        while (choice := self._choose(choices)) == reasoned:
            answer = self.answer(Question(AT_REASON, question)).strip()
            instead = next((other for other in AT_REASON if other == answer), None)
            if instead is None:
                return choice, _reason(answer)
            if instead != "back":
                return instead, ""
        return choice, ""

    def _choose(self, choices: tuple[Choice, ...]) -> Choice:
        """Ask for one of the choices; who notes something is asked again."""
        while (choice := self._choice(choices)) == "note":
            text = self.answer(Question(text="what is to be noted?", empty="nothing is noted")).strip()
            if text and self.walk.stage:
                self._take(NoteTaken(self.walk.stage.name, self.by, moment.now(), text))
        return choice

    def _choice(self, choices: tuple[Choice, ...]) -> Choice:
        """Ask for one of the choices.

        Raises:
            WalkRefused: the answer is none of them.
        """
        answer = self.answer(Question(choices))
        for choice in choices:
            if choice == answer:
                return choice
        raise WalkRefused(f"{answer!r} is none of {', '.join(choices)}")


def _reason(answer: str) -> str:
    """What was answered, as a reason.

    Raises:
        WalkRefused: it is too short to be one.
    """
    if len(answer) < LEAST_REASON:
        raise WalkRefused(f"{answer!r} is no reason: a sentence of {LEAST_REASON} characters at least, please")
    return answer
