"""The index by which people arrive: alert names, error texts, titles; symptoms before all else.

What is found are blocks, runbooks, and of runbooks of one's own the sections of their prose, too.

Two ways lead to a place. *By name*: an alert or an error that the place lists stands in what was asked, however it is
spelt and whatever stands around it; then nothing else is shown. Where none does, a log line of Kafka's code leads to
the place that a table has for it. A generic exception, such as IOException, counts only where nothing longer does, and
behind what speaks of the rest of the line. *By words*: the place speaks of what was asked, and rare words weigh more; a
near word (offline for down) counts nearly as much as the word, and a word that no place has weighs nothing. What speaks
of as much as the best is never left out: it stands behind them, one's own first. Where no place speaks of half of what
was asked, the three nearest are shown, and are said to be near.

The site finds by the same rules, in JavaScript: docs/scripts/find.js (docs/decisions/0037).
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from msgspec import Struct

from runbook.model.errors import nearest
from runbook.parse.runbook import Runbook
from runbook.search.entries import IndexEntry, ListedName, Tier, entries_of
from runbook.search.spelling import Query, Spelling, without_noise
from runbook.search.weights import WEIGHTS, Kind, rounded
from runbook.search.words import phrase, solid, telling

_EXCEPTION = re.compile(r"[\w.$]*exception\b", re.IGNORECASE)  # with its package


Found = Literal["name", "title", "words", "near"]


class Hit(Struct, frozen=True):
    """A place that may help, how well it fits, why it was found, and whether it is of somebody's own project.

    How it was `found` says how sure it is: it lists a name that stands in what was asked; its title has all of the
    words; it speaks of most of them, which is a guess; it speaks of less than half of them.
    """

    name: str
    title: str
    why: str
    score: float
    kind: Kind
    ours: bool
    found: Found


class Index:
    """Runbooks, ready to be searched."""

    def __init__(
        self, runbooks: Sequence[Runbook], entries: Callable[[Runbook], Iterable[IndexEntry]] | None = None
    ) -> None:
        """Read the places of the runbooks, and how widely each word is spread over them.

        Args:
            runbooks: those that are searched.
            entries: gives the places of a runbook; None: its text is read for them.
        """
        self.entries = [entry for book in runbooks for entry in (entries or entries_of)(book)]
        self._spelling = Spelling(self.entries)

    def search(self, text: str) -> list[Hit]:
        """Find what answers an alert, an error text or some words; the best first."""
        text = self._spelling.corrected(text)
        whole = self._spelling.query(text)
        if hits := self._by_name(whole):
            return hits
        if generic := self._named(whole, "generic"):
            return [*self._said_beside(text, generic), *generic]
        query = self._spelling.query(without_noise(text))
        return self._speaking(query) or self._near(query)

    def listing(self, name: str) -> list[IndexEntry]:
        """The places that list an alert or error of this name, whatever blanks, hyphens and capitals it has."""
        asked = solid(name)
        return [entry for entry in self.entries if any(solid(known.name) == asked for known in entry.known)]

    def named_in(self, text: str) -> list[IndexEntry]:
        """The places to which an alert, error or log line in a text leads, but no generic exception; the best first."""
        by_name = {entry.name: entry for entry in self.entries}
        query = self._spelling.query(self._spelling.corrected(text))
        return [by_name[hit.name] for hit in self._by_name(query)]

    def nearest(self, text: str) -> str:
        """The alert, error or title that is spelt most like what was asked, if one is near; else an empty text."""
        names = {*self._spelling.names.values(), *(entry.title for entry in self.entries)}
        return nearest(text, sorted(names))

    def misspelt(self, text: str) -> str:
        """The alert, error or title that one word may mean, where it has no name and a part of it is in no place."""
        if len(text.split()) != 1:
            return ""
        said = self._spelling.corrected(text)
        query = self._spelling.query(said)
        if len(query.words) == len(telling(said)):
            return ""
        named = self._by_name(query) or self._named(query, "generic")
        return "" if named else self.nearest(text)

    def _by_name(self, query: Query) -> list[Hit]:
        """Places that list a name which stands in the text; else those to which a log line leads that stands there."""
        return self._named(query, "listed") or self._named(query, "log line")

    def _named(self, query: Query, tier: Tier) -> list[Hit]:
        """Places one of whose names stands in the text, the best first; of disasters last, unless asked for."""
        found = _naming(self.entries, query, tier)
        last = {entry.name for entry, _, _ in found if entry.of_disasters and not query.of_disasters}
        hits = _best_first(
            [_hit(entry, why, rounded(rank + self._fit(entry, query)), "name") for entry, why, rank in found]
        )
        return sorted(hits, key=lambda hit: hit.name in last)

    def _said_beside(self, text: str, generic: Sequence[Hit]) -> list[Hit]:
        """What fits the rest of a line that names a generic exception; of one word anything may speak."""
        rest = self._spelling.query(without_noise(_EXCEPTION.sub(" ", text)))
        hits = self._speaking(rest) if len(rest.words) > 1 else []
        names = {hit.name for hit in generic}
        return [hit for hit in hits if hit.score >= WEIGHTS.least and hit.name not in names]

    def _speaking(self, query: Query) -> list[Hit]:
        """Places that speak of most of what was asked; the best first, then what speaks of as much and fits less well.

        Those of disasters stand behind all others, unless a disaster was asked for; behind what is near, if none hits.
        """
        asked = [entry for entry in self.entries if _is_asked_for(entry, query)]
        others = [entry for entry in self.entries if not _is_asked_for(entry, query)]
        disasters = self._speaking_of(others, query)
        hits = [*(self._speaking_of(asked, query) or (self._near(query) if disasters else [])), *disasters]
        return [*hits[: WEIGHTS.leading], *sorted(hits[WEIGHTS.leading :], key=lambda hit: not hit.ours)]

    def _speaking_of(self, entries: Sequence[IndexEntry], query: Query) -> list[Hit]:
        shares = [(query.share(entry.speaks_of), entry) for entry in entries]
        least = max(WEIGHTS.least, rounded(WEIGHTS.near * max((share for share, _ in shares), default=0.0)))
        found = [(share, self._fit(entry, query), entry) for share, entry in shares if share >= least]
        well = rounded(WEIGHTS.well * max((fit for _, fit, _ in found), default=0.0))

        def is_near(fit: float, entry: IndexEntry) -> bool:
            # How much a kind of place helps is for the order: a check that is called what was asked stands behind
            # symptoms.
            return fit >= well or entry.is_titled(query.words)

        fewest = min((share for share, fit, entry in found if is_near(fit, entry)), default=0.0)
        near, rest = list[Hit](), list[Hit]()
        for share, fit, entry in found:
            if share >= fewest:
                by: Found = "title" if entry.is_titled(query.words) else "words"
                hit = _hit(entry, _shared(entry, query), fit + WEIGHTS.called * _is_called(entry, query), by)
                (near if is_near(fit, entry) else rest).append(hit)
        return [*_best_first(near), *_best_first(rest)]

    def _near(self, query: Query) -> list[Hit]:
        """The places that fit best though they speak of less than half."""
        entries = [entry for entry in self.entries if _is_asked_for(entry, query)]
        fits = [(self._fit(entry, query), entry) for entry in entries]
        hits = [_hit(entry, _shared(entry, query), fit, "near") for fit, entry in fits if fit > 0]
        return _best_first(hits)[: WEIGHTS.nearest]

    def _fit(self, entry: IndexEntry, query: Query) -> float:
        """How well an entry fits: words count by where they stand, and more where all of them or of a name do."""
        places = (phrase(entry.title), *(known.phrase for known in entry.known))
        together = len(query.words) > 1 and any(query.phrase in place for place in places)
        helps = WEIGHTS.to_do if _is_to_do(entry, query) else WEIGHTS.helps[entry.kind]
        more = WEIGHTS.together * together + WEIGHTS.covered * self._covered(entry, query)
        return rounded(helps * (query.share(entry.counts) + more))

    def _covered(self, entry: IndexEntry, query: Query) -> float:
        """How much more than half of a listed name's words stand in what was asked, by weight: 0 to 1."""
        most = 0.0
        for known in entry.known:
            words = set(known.phrase.split()) & entry.named
            there = words & query.weights.keys()
            if len(words) > 1 and (len(there) > WEIGHTS.few or there == words):
                whole = sum(map(self._spelling.rarity, words))
                most = max(most, sum(map(self._spelling.rarity, there)) / whole)
        return max(0.0, 2 * most - 1)


def _naming(entries: Sequence[IndexEntry], query: Query, tier: Tier) -> list[tuple[IndexEntry, str, float]]:
    """Places one of whose names stands in the text: the longest name first, without those that it contains.

    Names of one tier. One's own places hide none that is built in, and are hidden by none: who
    lists a name in a runbook of theirs asks to be led there, and wants the help that was there before as well.
    """
    found = [
        (max(there, key=lambda known: len(known.phrase)), entry)
        for entry in entries
        if (
            there := [
                known for known in entry.known if known.tier == tier and known.stands_in(query.phrase, query.bare)
            ]
        )
    ]
    heads = {entry.name for _, entry in found if entry.kind == "runbook"}
    longest = {(known.phrase, entry.ours) for known, entry in found}  # also where only a runbook's head lists it
    found = [
        (known, entry)
        for known, entry in found
        if not any(known.phrase != other and known.phrase in other for other, ours in longest if ours == entry.ours)
    ]
    blocks = [entry for _, entry in found if entry.kind != "runbook"]
    told = {entry.name.partition("/")[0] for entry in blocks}  # runbooks of which a block lists it
    found = [
        (known, entry)
        for known, entry in found
        if entry.kind != "runbook" or (entry.name not in told if entry.ours else not blocks)
    ]
    return [(entry, known.why, _rank(known, entry, heads)) for known, entry in found]


def _rank(known: ListedName, entry: IndexEntry, heads: set[str]) -> float:
    words = telling(known.name).keys() & set(known.phrase.split())
    by_title = len(words & entry.titled) / (len(words) or 1)
    return (
        len(known.phrase) + WEIGHTS.said_by_title * by_title + WEIGHTS.about * (entry.name.partition("/")[0] in heads)
    )


def _best_first(hits: list[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.score, -WEIGHTS.helps[hit.kind], hit.name))


def _is_asked_for(entry: IndexEntry, query: Query) -> bool:
    return query.of_disasters or not entry.of_disasters or _is_called(entry, query)


def _is_called(entry: IndexEntry, query: Query) -> bool:
    return query.phrase in (phrase(entry.title), phrase(entry.name.rpartition("/")[2]))


def _shared(entry: IndexEntry, query: Query) -> str:
    said = {
        there: word if stem == there else entry.words[there]
        for stem, word in query.words.items()
        if (there := entry.said(stem))
    }
    return f"speaks of {', '.join(said.values())}"


def _hit(entry: IndexEntry, why: str, score: float, found: Found) -> Hit:
    return Hit(entry.name, entry.title, why, score, entry.kind, entry.ours, found)


def _is_to_do(entry: IndexEntry, query: Query) -> bool:
    """Whether a procedure's title begins with the first word that was asked, and has the others too."""
    if entry.kind != "procedure" or not entry.is_titled(query.words):
        return False
    return next(iter(query.words.values()), "") == entry.title.partition(" ")[0].lower()
