"""The index by which people arrive: alert names, error texts, titles."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from runbook.engine.block import Check, Diagnostic, Procedure
from runbook.engine.runbook import Runbook

_WORD = re.compile(r"[a-z0-9]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_EXACT, _ERROR, _WORDS = 100.0, 60.0, 40.0  # an alert's own name, a known error inside the text, shared words
_LEAST = 0.5  # of the words asked for must be there; our judgement


class Hit(Struct, frozen=True):
    """A place that may help, how well it fits, and why it was found."""

    name: str
    title: str
    why: str
    score: float


class _Entry(Struct, frozen=True):
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
    yield _Entry(book.name, front.title, front.alerts, front.errors, front.summary, 0.5)
    for placed in book.placed():
        block = placed.block
        if isinstance(block, Diagnostic):
            causes = " ".join(cause.cause for cause in block.causes)
            yield _Entry(placed.name, block.title, block.alerts, block.errors, f"{block.symptom} {causes}", 1.0)
        elif isinstance(block, Check):
            yield _Entry(placed.name, block.title, [], [], f"{block.effect} {block.remedy}", 0.8)
        elif isinstance(block, Procedure):
            yield _Entry(placed.name, block.title, [], [], " ".join(step.do for step in block.steps), 0.6)


def _match(entry: _Entry, text: str) -> Hit | None:
    plain = text.strip().casefold()
    for alert in entry.alerts:
        if alert.casefold() == plain:
            return Hit(entry.name, entry.title, f"alert {alert}", _EXACT * entry.weight)
    for error in entry.errors:
        if error.casefold() in plain or (len(plain) > 3 and plain in error.casefold()):  # noqa: PLR2004 - "in"
            return Hit(entry.name, entry.title, f"error text: {error}", _ERROR * entry.weight + len(error) / 100)
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
