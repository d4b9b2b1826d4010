"""How long a broker takes over small requests, for as long as that tells more than one of them.

A broker that stands still again and again is quick in between, so one request proves little. A connection of its own
asks one after the other, for time enough to meet the next stop of a broker that stands still for seconds, some times a
minute.
"""

import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from msgspec import Struct

from runbook.answers.kafka import AnswerTimes
from runbook.model.errors import CannotLook

STRETCH: Final = 4.0
"""Seconds for which is asked: our judgement. One second passed a broker that stands still for 2.5 of every 6 seconds
in four runs of ten."""
_MOST: Final = 0.55  # of the time that a run leaves: what is sent last may be waited for. Our judgement
_LEAST: Final = 0.1  # of it
ENOUGH: Final = 2
"""Answers that took long, or never came, after which no more is asked."""
_LONG: Final = 1.0  # seconds
_BETWEEN: Final = 0.1  # seconds between an answer and the next request
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


def stretch_of(left: float) -> float:
    """The seconds for which to ask, where a run leaves so many: who gives it more time meets rarer stops."""
    return max(min(STRETCH, _MOST * left), _LEAST * left)


def goes_on(taken: list[Exchange], passed: float, stretch: float) -> bool:
    """Whether to ask once more, after so many seconds of a stretch: not where it is known that answers take long."""
    if sum(not one.answered or one.seconds > _LONG for one in taken) >= ENOUGH:
        return False
    return passed < stretch


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

    async def times(self, stretch: float) -> AnswerTimes:
        """Ask for so many seconds, or until it is known that answers take long."""
        watched = self._net.call_soon_with_future(self._watch_ourselves())
        connected = await self._exchange(self._connect)
        began = time.monotonic()
        taken: list[Exchange] = []
        while goes_on(taken, time.monotonic() - began, stretch):
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
