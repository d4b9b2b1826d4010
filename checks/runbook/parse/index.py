"""The index by which people arrive: alert names, error texts, titles."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from runbook.model.block import Check, Diagnostic, Procedure
from runbook.parse.runbook import Placed, Runbook

_WORD = re.compile(r"[a-z0-9]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

# Our judgement, for the order only: an alert's own name, a known error in the text, part of either, words shared.
_ALERT, _ERROR, _PART, _WORDS = 100.0, 80.0, 60.0, 40.0
_SHORTEST_PART = 4  # characters of a text that may be part of a known one
_LEAST = 0.5  # of the words asked for must be there; our judgement


class Hit(Struct, frozen=True):
    """A place that may help, how well it fits, and why it was found."""

    name: str
    title: str
    why: str
    score: float


class _Entry(Struct, frozen=True):
    """A place: what it is called, what leads to it, what it speaks of, and how much it helps."""

    name: str
    title: str
    alerts: list[str]
    errors: list[str]
    text: str
    weight: float


def search(runbooks: Sequence[Runbook], text: str) -> list[Hit]:
    """Find what speaks of an alert, an error text or some words; the best first."""
    hits = [hit for book in runbooks for entry in _entries(book) if (hit := _match(entry, text)) is not None]
    return sorted(hits, key=lambda hit: (-hit.score, hit.name))


def _entries(book: Runbook) -> Iterator[_Entry]:
    front = book.front
    tags = " ".join(front.tags)
    yield _Entry(book.name, front.title, front.alerts, front.errors, f"{front.summary} {tags}", 0.5)
    yield from map(_entry, book.placed())


def _entry(placed: Placed) -> _Entry:
    match placed.block:
        case Diagnostic(title=title, alerts=alerts, errors=errors) as block:
            causes = " ".join(cause.cause for cause in block.causes)
            return _Entry(placed.name, title, alerts, errors, f"{block.symptom} {causes}", 1.0)
        case Check(title=title) as block:
            return _Entry(placed.name, title, [], [], f"{block.effect} {block.remedy}", 0.8)
        case Procedure(title=title) as block:
            return _Entry(placed.name, title, [], [], " ".join(step.do for step in block.steps), 0.6)


def _match(entry: _Entry, text: str) -> Hit | None:
    known = _known_text(entry, text)
    return known if known is not None else _shared_words(entry, text)


def _known_text(entry: _Entry, text: str) -> Hit | None:
    """A hit by an alert or error that the entry names: the longest one found decides."""
    plain = " ".join(text.split()).casefold()
    named = [("alert", alert, _ALERT) for alert in entry.alerts] + [("error", e, _ERROR) for e in entry.errors]
    hits = []
    for kind, name, score in named:
        folded = " ".join(name.split()).casefold()
        if re.search(rf"(?<![a-z0-9_]){re.escape(folded)}(?![a-z0-9_])", plain):
            found = score * entry.weight + min(len(folded), 100) / 100
        elif folded in plain and kind == "error":  # NotEnoughReplicas in NotEnoughReplicasException
            found = _ERROR * entry.weight
        elif len(plain) >= _SHORTEST_PART and plain in folded:
            found = _PART * entry.weight + len(plain) / len(folded)
        else:
            continue
        hits.append(Hit(entry.name, entry.title, f"{kind} {name}", found))
    return max(hits, key=lambda hit: hit.score, default=None)


def _shared_words(entry: _Entry, text: str) -> Hit | None:
    asked = _words(text)
    there = _words(" ".join([entry.name, entry.title, entry.text, *entry.alerts, *entry.errors]))
    shared = asked & there
    if not asked or len(shared) / len(asked) < _LEAST:
        return None
    in_title = len(asked & _words(f"{entry.name} {entry.title}")) / len(asked)
    score = _WORDS * entry.weight * (len(shared) / len(asked)) * (0.5 + in_title / 2)
    return Hit(entry.name, entry.title, f"speaks of {', '.join(sorted(shared))}", score)


def _words(text: str) -> set[str]:
    """Words, and the parts of CamelCase names; plurals count as their singular."""
    found = _WORD.findall(text.lower()) + _WORD.findall(_HUMP.sub(" ", text).lower())
    return {word.removesuffix("s") for word in found if len(word) > 1}
