"""Walk with a person: show what comes, ask, record. What may happen when is `runbook.procedure.walk`'s to say."""

import sys
import termios
from collections.abc import Callable
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from runbook.cli.terminal import Status, typed
from runbook.cli.walk_gate import Gates, show_look
from runbook.cli.walk_lookout import Lookout, told
from runbook.cli.walk_page import WalkPage, figures
from runbook.model import moment
from runbook.model.block import Procedure
from runbook.procedure.loss_seen import loss_seen, with_loss
from runbook.procedure.walk import Stage, Walk, closing
from runbook.procedure.walk_file import WalkFile
from runbook.procedure.walk_record import Done, Ended, Entry, Judged, Measured, Overruled, Paused, Shown, Skipped

COMPLETED, FLAWED, PAUSED, INTERRUPTED = 0, 1, 3, 130
_END: Final = "end"
_FIGURES: Final = ("rpo_records", "rpo_seconds", "duplicates", "rto_write", "rto_read")
_AT_STEP = {"": "done", "s": "skip", "p": "pause", "q": "give up"}
_AT_GATE = {"": "look again", "o": "go on all the same", "p": "pause", "q": "give up"}


class Left(Exception):  # noqa: N818 - no error: there are no more answers
    """Nobody answers any more: the end of the input."""


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
    """A walk, its record, its gates, and the person before it.

    A drill has a `lookout` too, which sees whether what is to be lost is lost; and a `watch`, if it is measured.
    """

    procedure: Procedure
    walk: Walk
    file: WalkFile
    gates: Gates
    by: str
    page: WalkPage
    watch: Watch | None = None
    lookout: Lookout | None = None

    def go(self) -> int:
        """Walk until it is over or paused; give the exit code."""
        try:
            self._look(self.walk.stage.name if self.walk.stage else _END)
            while not self.walk.is_over:
                stage = self.walk.stage
                if stage is None:
                    self._look(_END)
                    self._measure()
                    self._take(Ended("completed", self.by, moment.now()))
                elif (self._gate if stage.is_gate else self._step)(stage):
                    return PAUSED
        except Left:
            self._pause("the input ended")
            return PAUSED
        except KeyboardInterrupt:
            self._pause("interrupted")
            return INTERRUPTED
        return self._end()

    def _take(self, entry: Entry) -> None:
        """Let something happen: refused where it can't, then on the disk before anything else."""
        self.walk.take(entry)
        self.file.append(entry)

    def _step(self, stage: Stage) -> bool:
        """Show a step and take the answer; whether the walk is paused."""
        step = self.procedure.steps[stage.step - 1]
        self.page.step(stage.step, len(self.procedure.steps), step)
        self._take(Shown(stage.name, moment.now()))
        if self.watch:
            self.page.say(self.watch.status())
        match self._choose(_AT_STEP):
            case "done":
                self._take(Done(stage.name, self.by, moment.now()))
                if step.switch and self.watch:
                    self.page.say(self.watch.switch())
                self._look(stage.name)
            case "skip":
                reason = self._reason("why is it skipped?")
                self._take(Skipped(stage.name, self.by, moment.now(), reason))
                self._look(stage.name)
            case other:
                return self._leave(other)
        return False

    def _gate(self, stage: Stage) -> bool:
        """Look, and if it stays closed take the answer; whether the walk is paused."""
        self.page.gate(stage.name, stage.checks)
        looked = self.gates.look(stage)
        show_look(looked, color=self.page.color, width=self.page.width)
        self._take(looked.entry)
        self._look(stage.name)
        if looked.entry.open:
            self.page.say(f"gate {stage.name}: open")
            return False
        return self._closed(stage, looked.entry)

    def _closed(self, stage: Stage, judged: Judged) -> bool:
        closed = closing(judged.seen)
        self.page.closed(stage.name, closed, self._stop(stage))
        match self._choose(_AT_GATE):
            case "look again":
                pass
            case "go on all the same":
                reason = self._reason("why go on?")
                checks = [one.check for one in closed]
                self._take(Overruled(stage.name, self.by, moment.now(), reason, checks))
            case other:
                return self._leave(other)
        return False

    def _stop(self, stage: Stage) -> str:
        return self.procedure.steps[stage.step - 1].stop if stage.step else ""

    def _leave(self, how: str) -> bool:
        if how == "pause":
            self._pause("")
            return True
        self.page.say(f"the way back: {self.procedure.undo.strip() or 'the procedure names none'}")
        reason = self._ask("why? (Enter: no reason given)")
        self._measure()
        self._take(Ended("given up", self.by, moment.now(), reason))
        return False

    def _look(self, stage: str) -> None:
        """Look for the loss that the drill is to show, until it was seen."""
        if self.lookout is None or loss_seen(self.walk.entries).seen:
            return
        looks = self.lookout.look(stage)
        for look in looks:
            self._take(look)
        self.page.say(f"seen: {told(looks)}")
        found = loss_seen(self.walk.entries)
        if found.seen:
            self.page.part("", str(found), indent=0)

    def _measure(self) -> None:
        """End the canary, if there is one, and write down what was found out; once."""
        if self.watch is None:
            if self.lookout is not None:
                self._measured(self._unmeasured())
            return
        watch, self.watch = self.watch, None
        status = Status()
        try:
            measured = watch.measure(status.show)
        except KeyboardInterrupt:
            measured = watch.abandon("it was interrupted while it was being measured")
        finally:
            status.clear()
        self._measured(measured)

    def _unmeasured(self) -> Measured:
        """What is known without a canary: no figure, or what one told that was ended by a pause."""
        told = [entry for entry in self.walk.entries if isinstance(entry, Measured)]
        if told:
            return replace(told[-1], at=moment.now())
        return Measured(at=moment.now(), unknown=dict.fromkeys(_FIGURES, "no canary measured them (--allow-canary)"))

    def _measured(self, measured: Measured) -> None:
        if self.lookout is not None:
            measured = replace(measured, caveats=with_loss(measured.caveats, self.walk.entries))
        self._take(measured)
        self.page.say("\nmeasured:")
        for line in figures(measured, link=bool(self.gates.source)):
            self.page.part("-", line, indent=2)

    def _pause(self, reason: str) -> None:
        if self.watch is not None and not self.walk.is_over:
            watch, self.watch = self.watch, None
            self._measured(watch.abandon("the drill was paused, which ends the canary"))
        if not self.walk.is_over:
            self._take(Paused(self.by, moment.now(), reason))
        self.page.say(
            f"\npaused{f' ({reason})' if reason else ''}; go on: runbook procedure walk --resume {self.file.path}"
        )

    def _end(self) -> int:
        exceptions = self.walk.exceptions
        ended = self.walk.ended
        outcome = ended.outcome if ended else ""
        self.page.end(outcome, exceptions, str(self.file.path))
        return COMPLETED if outcome == "completed" and not exceptions else FLAWED

    def _choose(self, choices: dict[str, str]) -> str:
        """Ask until an answer is one of the choices."""
        offered = "   ".join(f"{key or 'Enter'}: {what}" for key, what in choices.items())
        while True:
            answer = self._ask(offered).lower()
            if answer in choices:
                return choices[answer]
            self.page.say(f"{answer!r} is none of them")

    def _reason(self, question: str) -> str:
        """Ask until there is a reason."""
        while True:
            reason = self._ask(question)
            if reason:
                return reason
            self.page.say("it goes on the record, so it can't be empty")

    def _ask(self, question: str) -> str:
        echoes = sys.stdin.isatty()
        if echoes:
            termios.tcflush(sys.stdin, termios.TCIFLUSH)  # an Enter from before the question is no answer to it
        self.page.prompt(question)
        line = typed() if echoes else sys.stdin.readline()
        if not line:
            raise Left
        answer = line.strip()
        if not echoes:
            self.page.say(answer)
        return answer
