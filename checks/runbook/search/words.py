"""Words as they are compared: names taken apart, endings taken off, words that say nothing left out.

Stems and stop words are lunr's, one small library without dependencies. Longer lists of stop words hold `down`, `full`,
`open` and `group`, which are what people ask for here.
"""

import re
from functools import cache
from typing import Final

from lunr.stemmer import PorterStemmer
from lunr.stop_word_filter import WORDS

# A run of capitals that no small letter follows (ISR, KAFKA), a word that may begin with one, a number.
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
_PACKAGE = re.compile(r"\b(?:[a-z]\w*\.){2,}(?=[A-Z])")  # of a class: kafka and connect are no words in it
_BETWEEN = re.compile(r"[\s_-]+")
_DENIED = re.compile(r"\b\w+n['\u2019]t\b", re.IGNORECASE)  # won't, doesn't: "won" and "doesn" are no words
SAY_NOTHING = WORDS | {
    "unable",
    "keep",
    "keeps",
    "working",
    "constantly",
    "really",
    "realy",
    "tonight",
    "caused",
    "percent",
}  # as "can", "not" and "is" do
# What has expired is no name of what expires soon, so `expired` has a stem of its own.
SHORT = {"cert": "certificate", "certs": "certificate", "msg": "message", "msgs": "message", "expired": "lapsed"}
# What somebody may write for what a runbook calls otherwise, by stems; one way, as what is down need not be lost.
NEAR = {
    "offlin": ("down",),
    "unavail": ("down",),
    "dead": ("down",),
    "lost": ("loss", "down", "miss"),
    "gone": ("lost", "down"),
    "miss": ("lost", "loss", "gone"),
    "messag": ("record",),
    "record": ("messag",),
    "loop": ("again",),
    "reprocess": ("twice", "again"),
    "kafka": ("broker", "cluster"),
    "node": ("broker",),
    "mirrormak": ("maker",),  # MirrorMaker is two words
    "laps": ("expir",),
    "expir": ("laps",),
}
OF_DISASTERS: Final = (
    "disaster,dr,rpo,rto,site,standby,mirror,mirrors,mirrored,mirroring,mirror maker,mirrormaker,failover,fail over,"
    "failback,fail back,switchover,switch over,data centre,data center,datacentre,datacenter,dc,region,location,"
    "topology,stretched,stretch,majority,quorum,checkpoint,translated,on purpose"
)
"""What only who thinks of a lost site, a mirror or a majority asks for."""
_ONE_ENDING = re.compile(r"(?<=[ae]nc)(?:ing|ed)$")  # rebalancing, rebalanced: Porter's stem of rebalance is another
_BRITISH = re.compile(r"(?<=\w{3})is(?=(?:e|ed|es|ing|ation|ations)$)")  # authorised: one spelling for all
_ADVERB = 6  # letters at least of a word whose -ly is an ending: slowly, not only
_ENDINGS = ("exception", "error")  # NotEnoughReplicasException is NOT_ENOUGH_REPLICAS
_SMALL = 3  # digits: 262144, 9092 and 65536 are somebody's, while 100 may be anything; our judgement
_porter = PorterStemmer()


@cache
def stem(word: str) -> str:
    """The stem of a word; of an adverb that of its adjective: who asks for slow means what reads slowly, too."""
    word = _BRITISH.sub("iz", _ONE_ENDING.sub("e", SHORT.get(word, word)))
    return str(_porter.stem(word[:-2] if word.endswith("ly") and len(word) >= _ADVERB else word))


def near_stems(stem: str) -> tuple[str, ...]:
    """Stems of what a runbook may say for a word, none of which is quite the same."""
    return NEAR.get(stem, ())


def stems(text: str) -> list[str]:
    """The stems of all words in their order: InvalidTopicException and INVALID_TOPIC_EXCEPTION have the same."""
    return [stem(word) for word in _split(text)]


def telling(text: str) -> dict[str, str]:
    """The words that tell one text from another, by their stems: no stop words, no single letters, no small numbers."""
    parts = _split(_DENIED.sub(" ", text))
    words = (word for word in parts if len(word) > (_SMALL if word.isdigit() else 1) and word not in SAY_NOTHING)
    return {stem(word): word for word in words}


def one_slip_apart(word: str, other: str) -> bool:
    """Whether two words begin alike and one letter is left out, put in, mistaken or typed too early."""
    if word[:1] != other[:1] or abs(len(word) - len(other)) > 1:
        return False
    if len(word) > len(other):
        word, other = other, word
    at = next((place for place, letter in enumerate(word) if letter != other[place]), len(word))
    if len(word) < len(other):
        return word[at:] == other[at + 1 :]
    return swapped(word, other) or word[at + 1 :] == other[at + 1 :]


def swapped(word: str, other: str) -> bool:
    """Whether two words differ by two neighbouring letters that were typed in the wrong order: hgih."""
    at = next((place for place, (one, two) in enumerate(zip(word, other, strict=False)) if one != two), len(word))
    return word[at : at + 2] == other[at : at + 2][::-1] and word[at + 2 :] == other[at + 2 :]


def phrase(text: str) -> str:
    """The stems as a text in which one phrase is looked for in another: a space before and after each."""
    return f" {' '.join(stems(text))} "


@cache
def phrases_of_disasters() -> tuple[str, ...]:
    """What a question about a disaster has one of, as phrases."""
    return tuple(dict.fromkeys(map(phrase, OF_DISASTERS.split(","))))


def bare_phrase(name: str) -> str:
    """The phrase of a name without the ending that says it is an error, if two words are left and no colon follows."""
    words = _split(name)
    if len(words) > 2 and words[-1] in _ENDINGS and not name.endswith(":"):  # noqa: PLR2004 - the ending and two words
        words.pop()
    return f" {' '.join(map(stem, words))} "


@cache
def unordered(phrase: str) -> tuple[str, ...]:
    """The words of a phrase in one order, without Kafka: ConnectFailedTask is KafkaConnectTaskFailed."""
    return tuple(sorted({*phrase.split()} - {"kafka"}))


def is_generic(name: str) -> bool:
    """Whether a name is a class of exceptions that says by one word what happened: IOException, in any package."""
    words = _split(name.rpartition(".")[2])
    return " " not in name and len(words) <= 2 and words[-1:] == ["exception"]  # noqa: PLR2004 - a word and the ending


def solid(name: str) -> str:
    """A name in one piece, in small letters, as it is typed by hand: underreplicatedpartitions."""
    return _BETWEEN.sub("", name).lower()


def _split(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(_PACKAGE.sub("", text))]
