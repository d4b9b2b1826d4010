"""The places of runbooks as they are searched: what each is called, the names that lead to it, and its words."""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from runbook.model.block import Cause, Check, Diagnostic, Effect, Procedure
from runbook.parse.runbook import LocatedBlock, Prose, Runbook
from runbook.parse.sections import Section, sections
from runbook.search.error_names import messages_of
from runbook.search.log_lines import log_lines
from runbook.search.weights import WEIGHTS, Kind
from runbook.search.words import bare_phrase, is_generic, near_stems, telling, unordered

_DISASTERS: Final = {"disaster recovery", "data centres"}
"""Tags of runbooks whose places are asked for by words of disasters, or stand behind all others."""

_SHORT: Final = 5  # blanks of a phrase of four words. Our judgement: five are hardly typed by heart
Tier = Literal["listed", "log line", "generic"]

_COMPARED = re.compile(r"\s*[<>=!]")


class ListedName(Struct, frozen=True):
    """An alert, an error or a log line that leads to a place, and the phrase by which it is looked for.

    Names of a later tier count only where none of an earlier one stands in a text: those that places list, log lines of
    Kafka's code that none lists, generic exceptions.
    """

    why: str
    name: str
    phrase: str
    tier: Tier = "listed"

    @property
    def is_alert(self) -> bool:
        """Whether it is an alert's name, not an error's."""
        return self.why.startswith("alert ")

    def stands_in(self, said: str, bare: str) -> bool:
        """Whether it stands in a text, as a phrase, or is all of it in another order, with Kafka before it or not.

        Of one plain word the text is no more, as it may stand in any; of a short log line it is more, as people use its
        words as well ("connector has failed").

        Args:
            said: the phrase of the text.
            bare: the same without numbers: which node is down is no part of the name.
        """
        one_word = self.phrase.count(" ") == 2  # noqa: PLR2004 - the spaces around it
        if one_word:
            return self.phrase == said
        if self.tier == "log line" and self.phrase == said and self.phrase.count(" ") <= _SHORT:
            return False
        mine = unordered(self.phrase)
        return (
            self.phrase in said or self.phrase in bare or (len(mine) > 1 and mine in (unordered(said), unordered(bare)))
        )


class IndexEntry(Struct, frozen=True):
    """A place: what it is called, the names that lead to it, and the stems of its title, its names and all of it.

    One that is `of_disasters` helps where a site, a mirror or a majority is lost, and misleads who has another trouble.
    """

    name: str
    title: str
    kind: Kind
    known: list[ListedName]
    titled: set[str]
    named: set[str]
    words: dict[str, str]
    ours: bool
    of_disasters: bool = False

    def counts(self, stem: str) -> float:
        """What a word counts for by where it, or one that is near to it, stands: 0 to 1."""
        return max(self._counts(stem), WEIGHTS.meant * max(map(self._counts, near_stems(stem)), default=0.0))

    def said(self, stem: str) -> str:
        """The stem by which it speaks of a word, or of what is near to it; else an empty one."""
        return next((there for there in (stem, *near_stems(stem)) if there in self.words), "")

    def speaks_of(self, stem: str) -> bool:
        """Whether it has the word, or one that is near to it."""
        return bool(self.said(stem))

    def is_titled(self, stems: Iterable[str]) -> bool:
        """Whether its title has each of the words, or one that is near to it."""
        return all(not self.titled.isdisjoint((stem, *near_stems(stem))) for stem in stems)

    def _counts(self, stem: str) -> float:
        if stem in self.titled:
            return WEIGHTS.title
        if stem in self.named:
            return WEIGHTS.names
        return WEIGHTS.body if stem in self.words else 0.0


def entries_of(book: Runbook) -> Iterator[IndexEntry]:
    """The places of a runbook."""
    of_disasters = not _DISASTERS.isdisjoint(book.front.tags)
    for entry in _places(book):
        yield replace(entry, of_disasters=True) if of_disasters else entry


def _places(book: Runbook) -> Iterator[IndexEntry]:
    front, ours = book.front, book.origin != "built-in"
    built_in = {placed.block.id for placed in book.base.placed()} if book.base else set()
    body = [front.summary, *front.tags]
    for section in _own_sections(book):
        if section.title in ("", front.title):
            body.append(section.text)
        else:
            yield _entry(book.name, section.title, "section", ([], []), section.text, ours=ours)
    yield _entry(book.name, front.title, "runbook", (front.alerts, front.errors), " ".join(body), ours=ours)
    for placed in book.placed():
        yield _placed(placed, ours=ours and (placed.amended is not None or placed.block.id not in built_in))


def _own_sections(book: Runbook) -> Iterator[Section]:
    """The prose that is not built in: who wrote it looks for it; the built-in one says what its blocks say."""
    parts = () if book.origin == "built-in" else (book.own or book).parts
    return sections("\n".join(part.text for part in parts if isinstance(part, Prose)))


def _placed(placed: LocatedBlock, *, ours: bool) -> IndexEntry:
    match placed.block:
        case Diagnostic(title=title, alerts=alerts, errors=errors) as block:
            causes = " ".join(cause.cause for cause in block.causes)
            return _entry(placed.name, title, "diagnostic", (alerts, errors), f"{block.symptom} {causes}", ours=ours)
        case Cause(title=title) as block:
            return _entry(placed.name, title, "cause", ([], []), f"{block.says} {block.first}", ours=ours)
        case Effect(title=title):
            return _entry(placed.name, title, "effect", ([], []), "", ours=ours)
        case Check(title=title, errors=errors) as block:
            return _entry(placed.name, title, "check", ([], errors), f"{block.effect} {block.remedy}", ours=ours)
        case Procedure(title=title, errors=errors) as block:
            steps = " ".join(step.do for step in block.steps)
            return _entry(placed.name, title, "procedure", ([], errors), steps, ours=ours)


def alert_name(text: str) -> str:
    """The name of an alert that may be written with its condition, as in `OfflinePartitionsCount > 0`."""
    return _COMPARED.split(text)[0] or text


def _entry(
    name: str, title: str, kind: Kind, lists: tuple[list[str], list[str]], body: str, *, ours: bool
) -> IndexEntry:
    alerts, errors = lists
    known = [ListedName(f"alert {alert}", alert, bare_phrase(alert_name(alert))) for alert in alerts]
    lines = log_lines().get(name, ())
    known += [ListedName(f"error {error}", error, bare_phrase(error), _tier(error, lines)) for error in errors]
    known += [
        ListedName(f"log line {line}", line, bare_phrase(line), "log line") for line in lines if line not in errors
    ]
    titled = telling(f"{name.rpartition('/')[2]} {title}")
    named = telling(" ".join([*alerts, *errors]))
    words = telling(" ".join([name, body, *map(messages_of, errors)])) | named | titled
    return IndexEntry(name, title, kind, known, {*titled}, {*named}, words, ours)


def _tier(error: str, lines: Collection[str]) -> Tier:
    if error in lines:
        return "log line"
    return "generic" if is_generic(error) else "listed"
