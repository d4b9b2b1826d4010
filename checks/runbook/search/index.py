"""The index by which people arrive: alert names, error texts, titles; symptoms before all else.

What is found are blocks, runbooks, and of runbooks of one's own the sections of their prose, too.

Two ways lead to a place. *By name*: an alert or an error that the place lists stands in what was asked, however it is
spelt and whatever stands around it; then nothing else is shown. A generic exception, such as IOException, counts only
where nothing longer does, and behind what speaks of the rest of the line. *By words*: the place speaks of what was
asked, and rare words weigh more; a near word (offline for down) counts nearly as much as the word. What speaks of as
much as the best is never left out: it stands behind them, one's own first.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from runbook.model.block import Cause, Check, Diagnostic, Effect, Procedure
from runbook.model.errors import nearest
from runbook.parse.runbook import LocatedBlock, Prose, Runbook
from runbook.parse.sections import Section, sections
from runbook.search.words import (
    bare_phrase,
    is_generic,
    near_stems,
    one_slip_apart,
    phrase,
    solid,
    stem,
    swapped,
    telling,
)

Kind = Literal["diagnostic", "check", "procedure", "section", "cause", "effect", "runbook"]

# Our judgement, for the order only: how much each kind of place helps who has a symptom, and where a word stands.
_HELPS: dict[Kind, float] = {
    "diagnostic": 1.0,
    "check": 0.5,
    "procedure": 0.45,
    "section": 0.45,
    "cause": 0.4,
    "runbook": 0.3,
    "effect": 0.1,
}
_TO_DO = 1.1  # of a procedure whose title begins as what was asked: who writes "restart a broker" wants to do it
_TITLE, _NAMES, _BODY, _TOGETHER = 1.0, 0.8, 0.4, 0.3
# Of several that list the same name: its words in the title, and the runbook's head names it too, as it is about it.
_SAID_BY_TITLE, _ABOUT = 1.0, 0.5
_CALLED = 2.0  # more than any fit: what was asked is its title or its id
_MEANT = 0.9  # of a word, where a near one stands in its place; our judgement
_LEAST = 0.5  # of the weight of the words asked for must be there, and beside a generic name fit so; our judgement
_NEAR = 0.8  # of the most that any place has of them: what has less is noise behind it; our judgement
_WELL = 0.65  # of the best score, likewise: what has less stands behind
_LEADING = 5  # places that come first whosever they are; of the rest one's own do, as only so many are shown
_RUN = re.compile(r"\w+(?:[\s-]+\w+)*")
_BETWEEN = re.compile(r"([\s-]+)")
_LONG_WORD = re.compile(r"\b[A-Za-z][a-z]{5,}\b")  # of a shorter one a letter less is often another word: our judgement
_SHORT_WORD = re.compile(r"\b[A-Za-z][a-z]{3,4}\b")  # of these only what is typed in the wrong order: hgih
_EXCEPTION = re.compile(r"[\w.$]*exception\b", re.IGNORECASE)  # with its package
_COMPARED = re.compile(r"\s*[<>=!]")  # an alert may be written with its condition: OfflinePartitionsCount > 0


class Hit(Struct, frozen=True):
    """A place that may help, how well it fits, why it was found, and whether it is of somebody's own project."""

    name: str
    title: str
    why: str
    score: float
    kind: Kind
    ours: bool = False


class _ListedName(Struct, frozen=True):
    """An alert or an error that a place lists, and the phrase by which it is looked for."""

    why: str
    name: str
    phrase: str
    generic: bool = False

    def stands_in(self, said: str) -> bool:
        """Whether it stands in a text, as a phrase; of one plain word the text is no more, as it may stand in any."""
        one_word = self.phrase.count(" ") == 2  # noqa: PLR2004 - the spaces around it
        return self.phrase == said if one_word else self.phrase in said


class IndexEntry(Struct, frozen=True):
    """A place: what it is called, the names that lead to it, and the stems of its title, its names and all of it."""

    name: str
    title: str
    kind: Kind
    known: list[_ListedName]
    titled: set[str]
    named: set[str]
    words: dict[str, str]
    ours: bool

    def counts(self, stem: str) -> float:
        """What a word counts for by where it, or one that is near to it, stands: 0 to 1."""
        return max(self._counts(stem), _MEANT * max(map(self._counts, near_stems(stem)), default=0.0))

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
            return _TITLE
        if stem in self.named:
            return _NAMES
        return _BODY if stem in self.words else 0.0


class _Query(Struct, frozen=True):
    """What is looked for: as one phrase, and its telling words as they were written and by their weight, by stems."""

    phrase: str
    words: dict[str, str]
    weights: dict[str, float]

    def share(self, weigh: Callable[[str], float]) -> float:
        """The sum of what each stem counts for (0 to 1), by weight: 0 to 1."""
        total = sum(self.weights.values())
        return sum(weight * weigh(stem) for stem, weight in self.weights.items()) / total if total else 0.0


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
        self._entries = [entry for book in runbooks for entry in (entries or entries_of)(book)]
        self._written = {word for entry in self._entries for word in entry.words.values()}
        self._spread = Counter(word for entry in self._entries for word in entry.words)
        self._names = {solid(known.name): known.name for entry in self._entries for known in entry.known}
        self._longest = max(map(len, self._names), default=0)

    def search(self, text: str) -> list[Hit]:
        """Find what answers an alert, an error text or some words; the best first."""
        text = _RUN.sub(self._spelt_out, text)
        text = _SHORT_WORD.sub(self._in_order, _LONG_WORD.sub(self._as_known, text))
        query = self._query(text)
        if hits := _named(self._entries, query, generic=False):
            return _best_first(hits)
        if not (generic := _best_first(_named(self._entries, query, generic=True))):
            return _speaking(self._entries, query)
        return [*self._said_beside(text, generic), *generic]

    def nearest(self, text: str) -> str:
        """The alert, error or title that is spelt most like what was asked, if one is near; else an empty text."""
        names = {*self._names.values(), *(entry.title for entry in self._entries)}
        return nearest(text, sorted(names))

    def _said_beside(self, text: str, generic: Sequence[Hit]) -> list[Hit]:
        """What fits the rest of a line that names a generic exception; of one word anything may speak."""
        rest = self._query(_EXCEPTION.sub(" ", text))
        hits = _speaking(self._entries, rest) if len(rest.words) > 1 else []
        names = {hit.name for hit in generic}
        return [hit for hit in hits if hit.score >= _LEAST and hit.name not in names]

    def _query(self, text: str) -> _Query:
        words = {stem: word for stem, word in telling(text).items() if not word.isdigit() or self._spread[stem]}
        return _Query(phrase(text), words, {stem: self._rarity(stem) for stem in words})

    def _in_order(self, found: re.Match[str]) -> str:
        """A short word of which no place speaks as the one whose letters were typed in the wrong order: hgih."""
        word = found[0].lower()
        if self._spread[stem(word)] or not telling(word):
            return found[0]
        near = [known for known in self._written if swapped(word, known)]
        return max(near, key=lambda known: (self._spread[stem(known)], known), default=found[0])

    def _as_known(self, found: re.Match[str]) -> str:
        """A word of which no place speaks as the one that may be meant, if one letter makes it that: consmer."""
        word = found[0].lower()
        if self._spread[stem(word)] or not telling(word):
            return found[0]
        near = [known for known in self._written if one_slip_apart(word, known)]
        return max(near, key=lambda known: (self._spread[stem(known)], known), default=found[0])

    def _spelt_out(self, run: re.Match[str]) -> str:
        """Names as they are written where somebody left out or put in blanks, hyphens and capitals: kafka diskfull."""
        parts = _BETWEEN.split(run[0])  # words, and what stands between them
        written, at = "", 0
        while at < len(parts):
            name, end = self._name_at(parts, at)
            written += name + "".join(parts[end : end + 1])
            at = end + 1
        return written

    def _name_at(self, parts: Sequence[str], at: int) -> tuple[str, int]:
        """The longest name that begins at a word, else that word; and where it ends."""
        found, joined = (parts[at], at + 1), ""
        for end in range(at, len(parts), 2):
            joined += solid(parts[end])
            if len(joined) > self._longest:
                break
            if joined in self._names:
                found = self._names[joined], end + 1
        return found

    def _rarity(self, word: str) -> float:
        return math.log(1 + len(self._entries) / (self._spread[word] or 0.5))


def entries_of(book: Runbook) -> Iterator[IndexEntry]:
    """The places of a runbook."""
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
        case Check(title=title) as block:
            return _entry(placed.name, title, "check", ([], []), f"{block.effect} {block.remedy}", ours=ours)
        case Procedure(title=title) as block:
            return _entry(
                placed.name, title, "procedure", ([], []), " ".join(step.do for step in block.steps), ours=ours
            )


def _entry(
    name: str, title: str, kind: Kind, lists: tuple[list[str], list[str]], body: str, *, ours: bool
) -> IndexEntry:
    alerts, errors = lists
    known = [_ListedName(f"alert {alert}", alert, bare_phrase(_COMPARED.split(alert)[0])) for alert in alerts]
    known += [_ListedName(f"error {error}", error, bare_phrase(error), is_generic(error)) for error in errors]
    titled = telling(f"{name.rpartition('/')[2]} {title}")
    named = telling(" ".join([*alerts, *errors]))
    words = telling(f"{name} {body}") | named | titled
    return IndexEntry(name, title, kind, known, {*titled}, {*named}, words, ours)


def _named(entries: Sequence[IndexEntry], query: _Query, *, generic: bool) -> list[Hit]:
    """Places one of whose names stands in the text: the longest name first, without those that it contains.

    Names of generic exceptions, or all others. One's own places hide none that is built in, and are hidden by none: who
    lists a name in a runbook of theirs asks to be led there, and wants the help that was there before as well.
    """
    found = [
        (max(there, key=lambda known: len(known.phrase)), entry)
        for entry in entries
        if (there := [known for known in entry.known if known.generic == generic and known.stands_in(query.phrase)])
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
    return [_hit(entry, known.why, _rank(known, entry, heads) + _fit(entry, query)) for known, entry in found]


def _rank(known: _ListedName, entry: IndexEntry, heads: set[str]) -> float:
    words = telling(known.name).keys() & set(known.phrase.split())
    by_title = len(words & entry.titled) / (len(words) or 1)
    return len(known.phrase) + _SAID_BY_TITLE * by_title + _ABOUT * (entry.name.partition("/")[0] in heads)


def _speaking(entries: Sequence[IndexEntry], query: _Query) -> list[Hit]:
    """Places that speak of most of what was asked; the best first, then what speaks of as much and fits less well."""
    shares = [(query.share(entry.speaks_of), entry) for entry in entries]
    least = max(_LEAST, _NEAR * max((share for share, _ in shares), default=0.0))
    found = [(share, _fit(entry, query), entry) for share, entry in shares if share >= least]
    well = _WELL * max((fit for _, fit, _ in found), default=0.0)

    def is_near(fit: float, entry: IndexEntry) -> bool:
        # How much a kind of place helps is for the order: a check that is called what was asked stands behind symptoms.
        return fit >= well or entry.is_titled(query.words)

    fewest = min((share for share, fit, entry in found if is_near(fit, entry)), default=0.0)
    near, rest = list[Hit](), list[Hit]()
    for share, fit, entry in found:
        if share >= fewest:
            hit = _hit(entry, _shared(entry, query), fit + _CALLED * _is_called(entry, query))
            (near if is_near(fit, entry) else rest).append(hit)
    hits = [*_best_first(near), *_best_first(rest)]
    return [*hits[:_LEADING], *sorted(hits[_LEADING:], key=lambda hit: not hit.ours)]


def _best_first(hits: list[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.name))


def _is_called(entry: IndexEntry, query: _Query) -> bool:
    return query.phrase in (phrase(entry.title), phrase(entry.name.rpartition("/")[2]))


def _shared(entry: IndexEntry, query: _Query) -> str:
    said = {
        there: word if stem == there else entry.words[there]
        for stem, word in query.words.items()
        if (there := entry.said(stem))
    }
    return f"speaks of {', '.join(said.values())}"


def _hit(entry: IndexEntry, why: str, score: float) -> Hit:
    return Hit(entry.name, entry.title, why, score, entry.kind, entry.ours)


def _fit(entry: IndexEntry, query: _Query) -> float:
    """How well an entry fits, below 2: words count by where they stand, and more where all stand together."""
    places = (phrase(entry.title), *(known.phrase for known in entry.known))
    together = len(query.words) > 1 and any(query.phrase in place for place in places)
    helps = _TO_DO if _is_to_do(entry, query) else _HELPS[entry.kind]
    return helps * (query.share(entry.counts) + _TOGETHER * together)


def _is_to_do(entry: IndexEntry, query: _Query) -> bool:
    """Whether a procedure's title begins with the first word that was asked, and has the others too."""
    if entry.kind != "procedure" or not entry.is_titled(query.words):
        return False
    return next(iter(query.words.values()), "") == entry.title.partition(" ")[0].lower()
