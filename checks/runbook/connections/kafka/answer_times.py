"""How long a broker takes over small requests, for as long as that tells more than one of them.

A broker that stands still again and again is quick in between, so one request proves little. A connection of its own
asks one after the other, until there was a quiet stretch: time enough to meet the next stop of a broker that stops
more often than it works. A broker that is quick throughout costs that stretch, and no more.
"""

import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from msgspec import Struct

from runbook.answers.kafka import AnswerTimes
from runbook.model.errors import CannotLook

QUIET: Final = 1.0
"""Seconds without a hiccup after which no more is asked, at least: our judgement."""
LONGEST: Final = 4.0
"""How many quiet stretches pass until no more is asked in any case, though an answer may still be waited for: our
judgement."""
_SHARE: Final = 0.2  # of the time that a run leaves: a tenth of its deadline, as half of that is left at first
ENOUGH: Final = 2
"""Answers that took long, or never came, after which no more is asked."""
_LONG: Final = 1.0  # seconds
_HICCUP: Final = 0.25  # seconds on top of twice what the quickest took: a way may be long by nature. Our judgement
_LEAST: Final = 5  # requests before the quickest of them tells how long the way is
_BETWEEN: Final = 0.05  # seconds between an answer and the next request
_RATE: Final = 250.0  # requests a second to all brokers together, at most: our judgement
_TICK: Final = 0.05


class Exchange(Struct, frozen=True):
    """A request: when it was sent, when its answer was there or given up, and whether it came."""

    sent: float
    ended: float
    answered: bool

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.ended - self.sent


def goes_on(taken: list[Exchange], began: float, now: float, longest: float, quiet: float = QUIET) -> bool:
    """Whether to ask once more: until it was quiet for long enough, or is known not to be."""
    if now - began >= longest or sum(not one.answered or one.seconds > _LONG for one in taken) >= ENOUGH:
        return False
    usual = _HICCUP + 2 * min((one.seconds for one in taken), default=0.0)
    hiccups = [one.ended for one in taken if not one.answered or one.seconds > usual]
    return len(taken) < _LEAST or now - max([began, *hiccups]) < quiet


def without_stalls(one: Exchange, stalls: list[tuple[float, float]]) -> float:
    """The seconds of an exchange without those in which we ourselves stood still: from when to when."""
    return one.seconds - sum(max(0.0, min(one.ended, end) - max(one.sent, start)) for start, end in stalls)


class AnswerTimer:
    """Times the answers of one broker, on the thread that drives the connections."""

    def __init__(
        self, net: Any, connect: Callable[[], Awaitable[Any]], ask: Callable[[], Awaitable[Any]], *, brokers: int
    ) -> None:
        """Time what `ask` takes over the connection that `connect` makes, while so many brokers are timed."""
        self._net = net
        self._connect = connect
        self._ask = ask
        self._between = max(_BETWEEN, brokers / _RATE)
        self._stalls: list[tuple[float, float]] = []
        self._ended = False

    async def times(self, most: float) -> AnswerTimes:
        """Ask as long as that tells more, and no more once so many seconds have passed.

        Who gives a run more time is asking more: the quiet stretch grows with it, so that rarer stops are met.
        """
        quiet = max(QUIET, _SHARE * most)
        watched = self._net.call_soon_with_future(self._watch_ourselves())
        connected = await self._exchange(self._connect)
        began = time.monotonic()
        taken: list[Exchange] = []
        longest = min(LONGEST * quiet, most - connected.seconds)
        while goes_on(taken, began, time.monotonic(), longest, quiet):
            taken.append(await self._exchange(self._ask))
            await self._net.sleep(self._between)
        self._ended = True
        await watched
        each = [connected, *taken]
        seconds = [without_stalls(one, self._stalls) for one in each if one.answered]
        return AnswerTimes(seconds, len(each) - len(seconds))

    async def _exchange(self, ask: Callable[[], Awaitable[Any]]) -> Exchange:
        from kafka.errors import KafkaError

        sent, answered = time.monotonic(), True
        try:
            await ask()
        except (KafkaError, CannotLook, OSError, ValueError):  # ValueError: an answer that can't be read
            answered = False
        return Exchange(sent, time.monotonic(), answered)

    async def _watch_ourselves(self) -> None:
        """Note when this thread did not get its turn, as a machine that is busy, or a process that was stopped."""
        while not self._ended:
            due = time.monotonic() + _TICK
            await self._net.sleep(_TICK)
            if (late := time.monotonic()) > due + _TICK:
                self._stalls.append((due, late))
