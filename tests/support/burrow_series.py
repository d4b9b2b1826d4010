"""Situations of a group and a partition, made to show where Burrow's rules and ours agree, and where they do not."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from support.burrow import HOUR, Series

_NOW: Final = 2 * HOUR
_MINUTE: Final = 60.0


class Situation(NamedTuple):
    """A series, and what is said of it.

    Attributes:
        burrow: by Burrow that has run all the time.
        fresh: by Burrow that was started a minute ago, and has seen commits since then.
        ours: by group_progress, from two looks.
    """

    series: Series
    burrow: str
    fresh: str
    ours: str


def steady(a_second: float, until: float = _NOW) -> list[float]:
    """So many records a second."""
    return [number / a_second for number in range(1, int(until * a_second) + 1)]


def commits(
    offset: Callable[[float], float], each: float = 5.0, until: float = _NOW, since: float = 0.0
) -> list[tuple[float, int]]:
    """Every so many seconds, what an application has then come to; the last one a second before `until`."""
    return [(at, int(offset(at))) for at in _times(each, until, since)]


def _times(each: float, until: float, since: float) -> Iterator[float]:
    count = int((until - 1 - since) // each)
    yield from (until - 1 - each * back for back in range(count, -1, -1))


_TEN: Final = steady(10)
_AT_REST: Final = steady(10, until=HOUR)
_ONE_MORE: Final = [*_AT_REST, _NOW - 5]
_DIED: Final = 10 * _MINUTE


def _until(moment: float) -> list[tuple[float, int]]:
    """All is read until a moment, and committed; nothing is committed from then on."""
    return commits(lambda at: 10 * at, until=moment)


def _then(moment: float, offset: Callable[[float], float]) -> list[tuple[float, int]]:
    return [*_until(moment), *commits(offset, since=moment)]


def _in_batches(at: float) -> float:
    """Half of what is written is read, in batches that take twenty seconds: most commits repeat the one before."""
    return 100 * (at // 20)


def _unevenly(at: float) -> float:
    """The same, and each commit moves: one of four gains on the writer, and the last one does not."""
    turn = int((at + 1) // 5) + 1
    return 100 * (turn // 4) + 5 * (turn % 4)


def _jitter(at: float) -> float:
    """All is read but a few records, a few more or less."""
    return 10 * at - (5 if int(at / 5) % 2 else 8)


SITUATIONS: Final = [
    Situation(Series("all is read", _NOW, _TEN, commits(lambda at: 10 * at)), "OK", "OK", "keeps up"),
    Situation(
        Series("five records are left at each commit", _NOW, _TEN, commits(lambda at: 10 * at - 5)),
        "WARN",
        "WARN",
        "keeps up",
    ),
    Situation(Series("five to eight are left", _NOW, _TEN, commits(_jitter)), "OK", "OK", "keeps up"),
    Situation(
        Series("a record it fails at, committed again and again", _NOW, _TEN, _then(_NOW - _DIED, lambda _: 66_000)),
        "STALL",
        "STALL",
        "no commit seen",
    ),
    Situation(Series("hangs for ten minutes", _NOW, _TEN, _until(_NOW - _DIED)), "STOP", "not found", "stuck"),
    Situation(
        Series("ended ten minutes ago", _NOW, _TEN, _until(_NOW - _DIED), members=0), "STOP", "not found", "stopped"
    ),
    Situation(
        Series("reads half of what is written", _NOW, _TEN, commits(lambda at: 5 * at)), "WARN", "WARN", "falls behind"
    ),
    Situation(Series("the same, unevenly", _NOW, _TEN, commits(_unevenly)), "OK", "OK", "falls behind"),
    Situation(
        Series("the same, in batches of twenty seconds", _NOW, _TEN, commits(_in_batches)),
        "OK",
        "OK",
        "no commit seen",
    ),
    Situation(
        Series(
            "so slow for a minute", _NOW, _TEN, _then(_NOW - _MINUTE, lambda at: 71_400 + 5 * (at - _NOW + _MINUTE))
        ),
        "WARN",
        "WARN",
        "keeps up",
    ),
    Situation(
        Series("an hour late, as far as it was", _NOW, _TEN, commits(lambda at: 10 * at - 36_000, since=HOUR)),
        "WARN",
        "WARN",
        "holds its lag",
    ),
    Situation(
        Series("an hour late, and reads five times as fast", _NOW, _TEN, commits(lambda at: 50 * (at - _NOW + 600))),
        "OK",
        "OK",
        "catches up",
    ),
    Situation(
        Series("rewound twenty seconds ago", _NOW, _TEN, _then(_NOW - 20, lambda at: 50 * (at - _NOW + 25))),
        "REWIND",
        "REWIND",
        "catches up",
    ),
    Situation(
        Series("rewound just now", _NOW, _TEN, [*_until(_NOW - 5), (_NOW - 1, 100)]), "REWIND", "REWIND", "rewound"
    ),
    Situation(
        Series("commits every ten minutes", _NOW, _TEN, commits(lambda at: 10 * at, 600, until=_NOW - 300)),
        "OK",
        "not found",
        "stuck",
    ),
    Situation(
        Series("the same, dead for 50 minutes", _NOW, _TEN, commits(lambda at: 10 * at, 600, until=_NOW - 3000)),
        "OK",
        "not found",
        "stuck",
    ),
    Situation(
        Series(
            "at rest, and the last offset is a transaction's marker",
            _NOW,
            _AT_REST,
            commits(lambda _: 35_999, until=HOUR),
        ),
        "STOP",
        "not found",
        "nothing to read",
    ),
    Situation(
        Series("a record after an hour of rest", _NOW, _ONE_MORE, commits(lambda at: 10 * at, until=HOUR + 1)),
        "OK",
        "not found",
        "nothing to read",
    ),
    Situation(Series("has never committed", _NOW, _TEN), "not found", "not found", "never committed"),
    Situation(
        Series("its topic was made anew", _NOW, _AT_REST, commits(lambda _: 50_000)), "OK", "OK", "ahead of the log"
    ),
    Situation(
        Series("waits behind an open transaction", _NOW, _TEN, _then(_NOW - _DIED, lambda _: 66_000), open_at=66_000),
        "STALL",
        "STALL",
        "held",
    ),
]
