"""What somebody asked, as it is looked for: spelt as runbooks spell it, without what is noise, its words weighed."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import Struct

from runbook.search.entries import IndexEntry
from runbook.search.error_names import with_names
from runbook.search.translations import in_english
from runbook.search.weights import rounded
from runbook.search.words import near_stems, one_slip_apart, phrase, phrases_of_disasters, solid, stem, swapped, telling

_RUN = re.compile(r"\w+(?:[\s-]+\w+)*")
_BETWEEN = re.compile(r"([\s-]+)")
_LONG_WORD = re.compile(r"\b[A-Za-z][a-z]{5,}\b")  # of a shorter one a letter less is often another word: our judgement
_SHORT_WORD = re.compile(r"\b[A-Za-z][a-z]{3,4}\b")  # of these only what is typed in the wrong order: hgih
# What stands around the words of a line: which client or thread says it, addresses and times, Kafka before a name, and
# what Alertmanager writes around an alert's name.
_NOISE = re.compile(
    r"\[\w+ [^\]]*=[^\]]*\]|[\w.-]+(?:/[\d.]+)?:\d{2,5}\b|\bKafka(?=[A-Z])"
    r"|\[(?:FIRING|RESOLVED)[^\]]*\]|\b(?:severity|cluster|env|environment|namespace|job|instance|pod|team|prometheus)=\"?[^\s,\"}]+\"?"
)
_NUMBERS = re.compile(r"(?: \d+(?: (?:ms|kb|mb))?(?= ))+ ")


class Query(Struct, frozen=True):
    """What is looked for: as one phrase, the same without numbers, and its telling words by stems, with their weights.

    Words that no place has are not among them: a host's name says nothing of where to look.
    """

    phrase: str
    bare: str
    words: dict[str, str]
    weights: dict[str, float]

    @property
    def of_disasters(self) -> bool:
        """Whether a disaster is asked for: a site, a mirror, a majority."""
        return any(words in self.phrase for words in phrases_of_disasters())

    def share(self, weigh: Callable[[str], float]) -> float:
        """The sum of what each stem counts for (0 to 1), by weight: 0 to 1."""
        total = sum(self.weights.values())
        weighed = sum(weight * weigh(stem) for stem, weight in self.weights.items())
        return rounded(weighed / total) if total else 0.0


class Spelling:
    """The words and names of all places, by which a question is read."""

    def __init__(self, entries: Sequence[IndexEntry]) -> None:
        """Count in how many places each word stands.

        Args:
            entries: all places that are searched.
        """
        self._places = len(entries)
        self._written = {word for entry in entries for word in entry.words.values()}
        self._spread = Counter(word for entry in entries for word in entry.words)
        self.names = {solid(known.name): known.name for entry in entries for known in entry.known}
        self._written_as = {solid(said): english for said, english in in_english().items()} | self.names
        self._longest = max(map(len, self._written_as))

    def corrected(self, text: str) -> str:
        """A text with Kafka's names for its errors, names as they are written, and words as they are meant."""
        text = _RUN.sub(self._spelt_out, with_names(text))
        return _SHORT_WORD.sub(self._in_order, _LONG_WORD.sub(self._as_known, text))

    def query(self, text: str) -> Query:
        """What is looked for by a text."""
        words = {stem: word for stem, word in telling(text).items() if self._is_known(stem)}
        said = phrase(text)
        return Query(said, _NUMBERS.sub(" ", said), words, {stem: self.rarity(stem) for stem in words})

    def rarity(self, stem: str) -> float:
        """What a word weighs: the more, the fewer places have it."""
        return math.log(1 + self._places / (self._spread[stem] or 0.5))

    def _is_known(self, stem: str) -> bool:
        return any(self._spread[known] for known in (stem, *near_stems(stem)))

    def _in_order(self, found: re.Match[str]) -> str:
        """A short word of which no place speaks as the one whose letters were typed in the wrong order: hgih."""
        return self._meant(found[0], swapped)

    def _as_known(self, found: re.Match[str]) -> str:
        """A word of which no place speaks as the one that may be meant, if one letter makes it that: consmer."""
        return self._meant(found[0], one_slip_apart)

    def _meant(self, written: str, is_near: Callable[[str, str], bool]) -> str:
        word = written.lower()
        if self._is_known(stem(word)) or not telling(word):
            return written
        near = [known for known in self._written if is_near(word, known)]
        meant = max(near, key=lambda known: (self._spread[stem(known)], known), default="")
        return meant or self.names.get(min((name for name in self.names if is_near(word, name)), default=""), written)

    def _spelt_out(self, run: re.Match[str]) -> str:
        """Names as they are written, with other blanks and capitals (kafka diskfull), and what is not English in it."""
        parts = _BETWEEN.split(run[0])  # words, and what stands between them
        written, at = "", 0
        while at < len(parts):
            name, end = self._name_at(parts, at)
            written += name + "".join(parts[end : end + 1])
            at = end + 1
        return written

    def _name_at(self, parts: Sequence[str], at: int) -> tuple[str, int]:
        """The longest name or phrase that begins at a word, else that word; and where it ends."""
        found, joined = (parts[at], at + 1), ""
        for end in range(at, len(parts), 2):
            joined += solid(parts[end])
            if len(joined) > self._longest:
                break
            if joined in self._written_as:
                found = self._written_as[joined], end + 1
        return found


def without_noise(text: str) -> str:
    """A line of a log without what stands around its words."""
    return _NOISE.sub(" ", text)
