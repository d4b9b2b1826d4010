"""Show a walk as it happens: what stays on the page, and a line that counts while something takes long."""

import sys
import time
from collections.abc import Sequence

from msgspec.structs import replace

from runbook.model.result import Outcome, Result
from runbook.model.run import Run
from runbook.procedure.events import (
    CanaryStarts,
    Event,
    FiguresKnown,
    GateClosed,
    GateObserved,
    GateOpened,
    GateReached,
    GivingUp,
    LossObserved,
    NamesSeen,
    Said,
    SetOut,
    StepReached,
    Underway,
    WalkEnded,
    WalkPaused,
)
from runbook.reports import ReportOptions
from runbook.run.collection.single_questions import Answering
from runbook.run.judgement.runner import Progress
from runbook.show.walk_page import WalkPage, changed_since, figures, in_words, resuming
from runbook.terminal.columns import terminal_columns
from runbook.terminal.progress import answers_line, progress_line
from runbook.terminal.safe_stdout import paint
from runbook.terminal.status import Status


class WalkScreen:
    """Where a walk is shown.

    Attributes:
        page: what stays.
    """

    def __init__(self, *, color: bool, inventory: str = "") -> None:
        """Prepare; nothing is shown yet."""
        width = terminal_columns() or 80
        self.page = WalkPage("", width, color)
        self._status = Status()
        self._since: float | None = None
        self._options = ReportOptions(full=True, color=color, width=width, inventory=inventory)
        self._procedure = ""

    def clear(self) -> None:
        """Take away what counts."""
        self._status.clear()
        self._status, self._since = Status(), None

    def tell(self, event: Event) -> None:
        """Show what happens."""
        match event:
            case Progress() | Answering() | Underway():
                self._status.show(self._counted(event))
            case Result():
                self._keep(event)
            case _:
                self.clear()
                self._say(event)

    def _counted(self, event: Progress | Answering | Underway) -> str:
        now = time.monotonic()
        if self._since is None:
            self._since = now
        match event:
            case Progress():
                return progress_line(event, now - self._since)
            case Answering():
                return answers_line(event, now - self._since)
            case Underway():
                return event.text

    def _keep(self, result: Result) -> None:
        from runbook.reports.console import line_for

        if result.outcome in (Outcome.FAIL, Outcome.UNKNOWN):
            self._status.keep(line_for(result))

    def _say(self, event: Event) -> None:
        match event:
            case SetOut():
                self._set_out(event)
            case NamesSeen():
                self.page.name(event.values, event.choices, event.unseen)
            case StepReached():
                self.page.step(event.number, event.of, event.step)
            case GateReached() | GateObserved() | GateOpened() | GateClosed():
                self._gate(event)
            case CanaryStarts() | Said() | LossObserved() | FiguresKnown():
                self._drill(event)
            case GivingUp():
                self.page.say(f"the way back: {event.undo or 'the procedure names none'}")
            case WalkPaused():
                why = f" ({event.reason})" if event.reason else ""
                self.page.say(f"\npaused{why}; go on: {resuming(event.place, event.deadline)}")
            case WalkEnded():
                self.page.end(event.outcome, event.exceptions, event.place)

    def _set_out(self, event: SetOut) -> None:
        begun = event.begun
        self._procedure = begun.procedure
        self.page = replace(
            self.page,
            environment=begun.environment,
            values=event.values,
            login=event.login,
            choices=event.choices,
            unseen=event.unseen,
        )
        self.page.head(begun, event.procedure, event.place)
        self.page.gates_lack(event.gates_lack)
        if event.goes_on_at:
            self.page.say(f"begun {begun.at} by {begun.by}; goes on at: {event.goes_on_at}")
            self.page.part("", changed_since(event.changed), indent=0)
            self.page.exceptions(event.exceptions)

    def _gate(self, event: GateReached | GateObserved | GateOpened | GateClosed) -> None:
        match event:
            case GateReached():
                self.page.gate(event.stage.name, event.stage.checks)
            case GateObserved():
                show_runs(event.runs, replace(self._options, walking=self._procedure))
            case GateOpened():
                self.page.say(f"gate {event.name}: open")
            case GateClosed():
                self.page.closed(event)

    def _drill(self, event: CanaryStarts | Said | LossObserved | FiguresKnown) -> None:
        match event:
            case CanaryStarts():
                self.page.say("The canary gets ready; the drill begins when its first records have come through.")
            case Said():
                self.page.say(event.text)
            case LossObserved():
                self.page.say(f"seen: {in_words(event.looks)}")
                self.page.part("", str(event.found or ""), indent=0)
            case FiguresKnown():
                self.page.say("\nmeasured:")
                for line in figures(event.measured, link=event.link):
                    self.page.part("-", line, indent=2)


def show_runs(runs: Sequence[Run], options: ReportOptions) -> None:
    """Print what a gate saw, as `runbook check --full` does, without the advice to walk what is being walked."""
    from runbook.reports.console import report

    for run in runs:
        paint(report(run, options), sys.stdout)
