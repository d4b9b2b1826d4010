"""What can go wrong, as one tree.

RunbookError
├── UsageError         the command line or the environment asks for something impossible    exit 2
│   └── Invalid        a runbook, an inventory or a case has mistakes: all of them, placed  exit 2
└── CannotLook         a system could not be observed: the fact is not complete             unknown
    ├── Mistake        code of a probe, view or connection raised what nobody expected
    ├── Unreachable    reset, cut off, or in no closer way
    │   ├── Refused    nothing listens there
    │   ├── ClosedUnanswered  it accepted our connection and closed it
    │   ├── NoName     the name does not resolve
    │   ├── NoRoute    no network leads there
    │   └── NoTls      no terms over TLS
    ├── TimedOut       it did not answer in its time
    ├── NoTurn         it was not asked, as time was up
    ├── NoSecondLook   the deadline comes before it
    ├── NotServing     it answered: not now
    ├── NotThere       there is no such file, topic or resource
    ├── Denied         it answered: you may not
    ├── Garbled        it answered, but not in its protocol, or with contradictions
    ├── Unsupported    its release does not know the question
    └── Misconfigured  the inventory's settings for the connection can't be used
        └── SettingMissing  a line that this question needs is not there

The class decides the kind of the gap that is left (`runbook.model.gap_kind`).
"""

from collections.abc import Sequence
from typing import NamedTuple

from runbook.model.gap_kind import GapKind
from runbook.safety.sanitize import sanitize


class FilePosition(NamedTuple):  # a tuple, not a msgspec record: the command line loads this module for every `--help`
    """A position in a text file, as editors count: `line` and `column` start at 1."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    @classmethod
    def read(cls, text: str) -> "FilePosition | None":
        """The position that was written as FILE:LINE:COLUMN; None where the text is none, as an empty one."""
        file, *numbers = text.rsplit(":", 2)
        if not file or len(numbers) != 2 or not all(number.isdecimal() for number in numbers):  # noqa: PLR2004
            return None
        return cls(file, int(numbers[0]), int(numbers[1]))


class Problem(NamedTuple):
    """One mistake in a runbook, inventory or case file, with the remedy."""

    place: FilePosition
    message: str
    remedy: str = ""

    def __str__(self) -> str:
        first = sanitize(f"{self.place}  {self.message}")  # both hold what stands in files of others
        return f"{first}\n{_indent(self.remedy)}" if self.remedy else first


def _indent(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


class RunbookError(Exception):
    """Whatever this package raises on purpose."""


class UsageError(RunbookError):
    """The request can't be met as asked; the message names the remedy."""


class Invalid(UsageError):  # noqa: N818 - reads as a verdict on the file, not as a fault of ours
    """A file has mistakes; `problems` lists all of them in the order of the file."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in problems))


class CannotLook(RunbookError):  # noqa: N818 - the tree reads as sentences
    """A system could not be observed; the message becomes the reason of an `unknown`.

    Attributes:
        kind: of the gap that it leaves.
        at: the address that was asked, where the sentence names one beside a name: host:port.
        waited: seconds without an answer, where the sentence tells them.
        deadline: seconds of the deadline to give instead.
        right: what the system wants for it, where it refused.
    """

    kind = GapKind.INCOMPLETE
    at = ""
    waited = 0.0
    deadline = 0.0
    right = ""


class Mistake(CannotLook):
    """Code raised what nobody expected of it: a mistake in that code, which says nothing about the system."""

    kind = GapKind.MISTAKE


class Unreachable(CannotLook):
    """Nothing answers there: reset, cut off, or it is told in no closer way."""

    kind = GapKind.UNREACHABLE


class Refused(Unreachable):
    """Its host answers, and nothing listens at that port."""

    kind = GapKind.REFUSED


class ClosedUnanswered(Unreachable):
    """It accepted our connection and closed it without an answer."""

    kind = GapKind.CLOSED


class NoName(Unreachable):
    """Its name does not resolve."""

    kind = GapKind.NO_NAME


class NoRoute(Unreachable):
    """No network leads there."""

    kind = GapKind.NO_ROUTE


class NoTls(Unreachable):
    """It does not come to terms over TLS."""

    kind = GapKind.NO_TLS


class TimedOut(CannotLook):
    """The system did not answer in the time it was given."""

    kind = GapKind.TIMED_OUT

    def __init__(self, sentence: str = "", waited: float = 0.0) -> None:
        """Say so; `waited` is how many seconds, where the sentence tells them."""
        super().__init__(sentence)
        self.waited = waited


class NoTurn(CannotLook):
    """It was not asked, as time was up."""

    kind = GapKind.NO_TURN


class NoSecondLook(CannotLook):
    """The deadline comes before a second look."""

    kind = GapKind.NO_SECOND_LOOK

    def __init__(self, sentence: str, deadline: float) -> None:
        """Say so; `deadline` is the one to give, in seconds."""
        super().__init__(sentence)
        self.deadline = deadline


class NotServing(CannotLook):
    """It answered that it can't answer this now."""

    kind = GapKind.NOT_SERVING


class NotThere(CannotLook):
    """There is no such thing: a file, a topic, a resource."""

    kind = GapKind.NOT_THERE


class Denied(CannotLook):
    """The system answered that we may not look, or did not accept our credentials."""

    kind = GapKind.DENIED

    def __init__(self, sentence: str = "", right: str = "") -> None:
        """Say so; `right` is what the system wants for it."""
        super().__init__(sentence)
        self.right = right


class Garbled(CannotLook):
    """The answer is not of the protocol, is cut off, or contradicts itself."""

    kind = GapKind.GARBLED


class Unsupported(CannotLook):
    """The release of the system does not know the question."""

    kind = GapKind.UNSUPPORTED


class Misconfigured(CannotLook):
    """The inventory's settings for this connection can't be used as they are."""

    kind = GapKind.MISCONFIGURED


class SettingMissing(Misconfigured):
    """The connection is given, and lacks a line that this question needs."""

    kind = GapKind.SETTING_MISSING


MOST = 20
"""Names that are all told: more are looked up, not read. Our judgement."""
_NEAR = 3
_BESIDE = 0.9  # of how much alike the nearest is: what is less so was hardly meant; our judgement
_PAIR = 2  # letters of a word of which one may be wrong, as in hb for ha
_TELLING = 3  # letters of a part of a name that may tell which is meant


def did_you_mean(word: str, known: Sequence[str], listed_by: str = "", likely: str = "") -> str:
    """Say what may have been meant: all names where they are few, else those that are near and where all stand.

    Of few, those that are as near as the nearest are all offered: one of two regions is taken as it is offered.

    Args:
        word: what somebody wrote.
        known: every name that would have been one.
        listed_by: the command that lists them; empty where there is none, so that all are told if none is near.
        likely: the name that is offered before others that are as near.
    """
    if not known:
        return "nothing may stand here"
    if len(known) <= MOST:
        alike = _by_likeness(word, sorted(known, key=lambda name: (name != likely, name)))
        nearest_ones = [name for name, much in alike.items() if much == max(alike.values())]
        near = nearest_ones[:_NEAR] or near_names(word, known)
        listed = "known: " + ", ".join(sorted(known))
    else:
        near = near_names(word, known)
        listed = f"{listed_by} names all {len(known)}" if listed_by else ""
        if not near and not listed:
            listed = "known: " + ", ".join(sorted(known))
    asked = f"did you mean {' or '.join(near)}?" if near else ""
    return f"{asked} {listed}".strip()


def nearest(word: str, known: Sequence[str]) -> str:
    """The word that was meant, if one is near; else an empty one."""
    return next(iter(_alike(word, known)), "")


def near_names(word: str, known: Sequence[str]) -> list[str]:
    """The first names that begin with the word, else those spelt alike; where none is, those that hold it."""
    holding = [name for name in sorted(known) if len(word) >= _TELLING and word.lower() in name.lower()]
    beginning = [name for name in holding if name.lower().startswith(word.lower())]
    return (beginning or _alike(word, known) or holding)[:_NEAR]


def _alike(word: str, known: Sequence[str]) -> list[str]:
    """The names that are spelt alike but for capitals, the nearest first, without those much less so than it."""
    alike = _by_likeness(word, known)
    near = [name for name, much in alike.items() if much >= _BESIDE * max(alike.values())]
    return near[:_NEAR]


def _by_likeness(word: str, known: Sequence[str]) -> dict[str, float]:
    """The names that are spelt alike but for capitals, the nearest first → how much; those as near in their order."""
    from difflib import SequenceMatcher, get_close_matches  # noqa: PLC0415 - every `--help` loads this module

    meant = word.lower()
    written = {name: name.lower() for name in known}
    cutoff = 0.5 if len(meant) == _PAIR else 0.6
    close = {*get_close_matches(meant, {*written.values()}, n=len(known) or 1, cutoff=cutoff)}
    alike = {name: SequenceMatcher(None, small, meant).ratio() for name, small in written.items() if small in close}
    return dict(sorted(alike.items(), key=lambda one: -one[1]))
