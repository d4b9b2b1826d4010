"""What can go wrong, as one tree.

RunbookError
├── UsageError         the command line or the environment asks for something impossible    exit 2
│   └── Invalid        a runbook, an inventory or a case has mistakes: all of them, placed  exit 2
└── CannotLook         a system could not be observed: the fact is not complete             unknown
    ├── Mistake        code of a probe, view or connection raised what nobody expected
    ├── Unreachable    refused, reset, no route, name not found
    ├── TimedOut       it did not answer in its time
    ├── Denied         it answered: you may not
    ├── Garbled        it answered, but not in its protocol, or with contradictions
    └── Misconfigured  the inventory's settings for the connection can't be used
"""

from collections.abc import Sequence
from typing import NamedTuple

from runbook.safety.sanitize import sanitize


class FilePosition(NamedTuple):  # a tuple, not a msgspec record: the command line loads this module for every `--help`
    """A position in a text file, as editors count: `line` and `column` start at 1."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


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
    """A system could not be observed; the message becomes the reason of an `unknown`."""


class Mistake(CannotLook):
    """Code raised what nobody expected of it: a mistake in that code, which says nothing about the system."""


class Unreachable(CannotLook):
    """Nothing answers there: refused, reset, no route, or the name does not resolve."""


class TimedOut(CannotLook):
    """The system did not answer in the time it was given."""


class Denied(CannotLook):
    """The system answered that we may not look, or did not accept our credentials."""


class Garbled(CannotLook):
    """The answer is not of the protocol, is cut off, or contradicts itself."""


class Misconfigured(CannotLook):
    """The inventory's settings for this connection can't be used as they are."""


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
