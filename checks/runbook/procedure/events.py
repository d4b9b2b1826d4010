"""What happens on a walk, for whoever shows it; and what is asked of whoever walks. Neither knows a terminal."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from runbook.model.block import Procedure, Step
from runbook.model.result import Result
from runbook.model.run import Run
from runbook.procedure.loss_seen import LossSeen
from runbook.procedure.walk import Stage
from runbook.procedure.walk_record import Begun, GateSeen, Measured, Overruled, Sighting, Skipped
from runbook.run.collection.single_questions import Answering
from runbook.run.judgement.runner import Progress

Choice = Literal["done", "skip", "look again", "go on all the same", "note", "pause", "give up", "back"]
AT_STEP: Final[tuple[Choice, ...]] = ("done", "skip", "note", "pause", "give up")
AT_GATE: Final[tuple[Choice, ...]] = ("look again", "go on all the same", "note", "pause", "give up")
AT_REASON: Final[tuple[Choice, ...]] = ("back", "pause", "give up")
"""Each is shorter than a reason may be, so that none can be taken for one."""


class SetOut(Struct, frozen=True):
    """The walk begins, or goes on.

    Attributes:
        begun: how it began.
        procedure: what is walked.
        place: the file of its record.
        values: what placeholders of commands stand for.
        login: by which protocol the cluster is reached, if the tools that commands name need a file for it.
        goes_on_at: the stage at which it goes on, or "the end"; empty for a walk that begins.
        exceptions: what was skipped or gone over before.
        gates_lack: words that its gates have to be told, and were not.
        choices: placeholder → the names it may stand for, where there are several.
        changed: what of the inventory is another than when the walk was at work before, as in `mirror eu→us`.
        unseen: placeholder → why nothing was seen of what it may stand for.
    """

    begun: Begun
    procedure: Procedure
    place: str
    values: Mapping[str, str]
    login: str
    goes_on_at: str
    exceptions: Sequence[Skipped | Overruled]
    gates_lack: Sequence[str] = ()
    choices: Mapping[str, Sequence[str]] = {}
    changed: Sequence[str] = ()
    unseen: Mapping[str, str] = {}


class NamesSeen(Struct, frozen=True):
    """What placeholders stand for that was made on the way; all as in `SetOut`, besides what stands there."""

    values: Mapping[str, str]
    choices: Mapping[str, Sequence[str]]
    unseen: Mapping[str, str] = {}


class StepReached(Struct, frozen=True):
    """A step is to be taken: the number counts from 1."""

    number: int
    of: int
    step: Step


class GateReached(Struct, frozen=True):
    """A gate is about to be looked through; results and progress of its runs follow."""

    stage: Stage


class GateObserved(Struct, frozen=True):
    """A gate was looked through: a finished run for each environment."""

    runs: Sequence[Run]


class GateOpened(Struct, frozen=True):
    """A gate is open."""

    name: str


class GateClosed(Struct, frozen=True):
    """A gate stays closed, as these checks did not pass.

    Attributes:
        name: of the gate.
        seen: what did not pass.
        stop: when to stop, if the procedure says so.
        place: the file of the walk's record.
        deadline: the one with which its checks can look twice, as 20s, where the one it had was too short.
    """

    name: str
    seen: Sequence[GateSeen]
    stop: str
    place: str
    deadline: str = ""


class LossObserved(Struct, frozen=True):
    """The tool looked for what a drill is to lose; `found` is what all looks show, once it was seen."""

    looks: Sequence[Sighting]
    found: LossSeen | None


class CanaryStarts(Struct, frozen=True):
    """The canary gets ready, which takes a while."""


class Said(Struct, frozen=True):
    """Something that the canary says of itself."""

    text: str


class Underway(Struct, frozen=True):
    """How far something is that takes long; each takes the place of the one before."""

    text: str


class FiguresKnown(Struct, frozen=True):
    """What the canary measured; `link` says whether it did so over a link."""

    measured: Measured
    link: bool


class GivingUp(Struct, frozen=True):
    """The walk is about to be given up; `undo` is the way back, if the procedure names one."""

    undo: str


class WalkPaused(Struct, frozen=True):
    """The walk is paused; the reason is empty where the person wanted it, `deadline` as in `GateClosed`."""

    reason: str
    place: str
    deadline: str = ""


class WalkEnded(Struct, frozen=True):
    """The walk is over."""

    outcome: str
    exceptions: Sequence[Skipped | Overruled]
    place: str


Event = (
    SetOut
    | NamesSeen
    | StepReached
    | GateReached
    | Progress
    | Result
    | GateObserved
    | GateOpened
    | GateClosed
    | LossObserved
    | CanaryStarts
    | Said
    | Underway
    | Answering
    | FiguresKnown
    | GivingUp
    | WalkPaused
    | WalkEnded
)
Tell = Callable[[Event], None]
"""Is given each event when it happens."""


class Question(Struct, frozen=True):
    """What is asked of whoever walks.

    Attributes:
        choices: the answers there are; none: a text of one's own.
        text: what that text is to say; with choices, it is a reason of `LEAST_REASON` characters at least, or one of
            them in its place.
        empty: what it means that a text of one's own is empty.
    """

    choices: tuple[Choice, ...] = ()
    text: str = ""
    empty: str = "no reason given"


Answer = Callable[[Question], str]
"""Answers a question: with one of its choices, or a text. Raises `NobodyAnswers` where there are no more answers."""


class NobodyAnswers(Exception):  # noqa: N818 - no error: the walk is paused
    """Nobody answers any more: the end of the input."""
