"""How long a broker's answers take, timed on kafka-python's own loop beside a broker that is played."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from runbook.answers.kafka import AnswerTimes
from runbook.connections.kafka.answer_times import QUIET, AnswerTimer, Exchange, goes_on, without_stalls
from runbook.connections.kafka.loop import ClosingLoop


@pytest.fixture
def net() -> Iterator[Any]:
    loop = ClosingLoop()
    loop.start()
    yield loop
    loop.stop(timeout_ms=500)


class Stutters:
    """A broker that stands still for a time of each cycle, which is at some moment of it now."""

    def __init__(self, net: Any, *, frozen: float, every: float, at: float) -> None:
        self._net, self._frozen, self._every = net, frozen, every
        self._start = time.monotonic() - at

    async def answer(self) -> None:
        """Answer at once, or when it goes on."""
        at = (time.monotonic() - self._start) % self._every
        await self._net.sleep(max(0.001, self._frozen - at))


def timed(net: Any, broker: Stutters, *, brokers: int = 3, most: float = 5.0) -> AnswerTimes:
    found: AnswerTimes = net.run(AnswerTimer(net, broker.answer, broker.answer, brokers=brokers).times, most)
    return found


def stand_still() -> None:
    """Keep the loop's thread from its turn."""
    time.sleep(0.5)


def exchanges(*seconds: float, between: float = 0.05) -> list[Exchange]:
    made, now = [], 0.0
    for each in seconds:
        made.append(Exchange(now, now + each, answered=True))
        now += each + between
    return made


def test_a_quick_broker_costs_one_quiet_stretch(net: Any) -> None:
    began = time.monotonic()
    found = timed(net, Stutters(net, frozen=0, every=1, at=0))
    assert QUIET <= time.monotonic() - began < QUIET + 1.0
    assert len(found.seconds) >= 5
    assert found.unanswered == 0


@pytest.mark.parametrize("at", [0.0, 0.4, 0.7, 0.76, 0.95])
def test_a_broker_that_stops_again_and_again_is_met_at_its_stop_whenever_it_is_asked_first(net: Any, at: float) -> None:
    found = timed(net, Stutters(net, frozen=0.75, every=1.0, at=at), most=2.0)
    assert 0.6 < max(found.seconds) < 1.0


@pytest.mark.parametrize("at", [0.8, 1.5, 2.4])
def test_who_gives_more_time_meets_rarer_stops(net: Any, at: float) -> None:
    """With the least time a second is quiet here, and the broker passes for a quick one."""
    found = timed(net, Stutters(net, frozen=0.75, every=2.5, at=at), most=10.0)
    assert max(found.seconds) > 0.5


def test_one_stop_is_followed_by_a_quiet_stretch() -> None:
    quick = exchanges(*[0.003] * 10)
    assert goes_on(quick, 0.0, QUIET - 0.1, 4.0)
    assert not goes_on(quick, 0.0, QUIET, 4.0)
    hiccup = [*quick, Exchange(0.6, 0.9, answered=True)]
    assert goes_on(hiccup, 0.0, QUIET + 0.1, 4.0)
    assert not goes_on(hiccup, 0.0, 0.91 + QUIET, 4.0)


def test_a_long_way_is_no_hiccup() -> None:
    far = exchanges(*[0.3] * 5)
    assert not goes_on(far, 0.0, far[-1].ended, 4.0)


def test_two_stops_or_four_seconds_are_enough() -> None:
    assert not goes_on(exchanges(1.2, 0.003, 1.2), 0.0, 2.6, 4.0)
    assert goes_on(exchanges(0.003, 1.2), 0.0, 1.3, 4.0)
    assert not goes_on(exchanges(0.003, 1.2), 0.0, 4.0, 4.0)


def test_requests_that_nobody_answers_are_counted_and_two_are_enough(net: Any) -> None:
    broker = Stutters(net, frozen=0, every=1, at=0)

    async def lose() -> None:
        raise TimeoutError

    found = net.run(AnswerTimer(net, broker.answer, lose, brokers=3).times, 5.0)
    assert (len(found.seconds), found.unanswered) == (1, 2)


def test_what_we_ourselves_stood_still_does_not_count(net: Any) -> None:
    slept: list[bool] = []

    async def answer() -> None:
        if not slept:
            await net.sleep(0.2)
            slept.append(True)
            stand_still()
        await net.sleep(0.001)

    found = net.run(AnswerTimer(net, Stutters(net, frozen=0, every=1, at=0).answer, answer, brokers=3).times, 5.0)
    assert max(found.seconds) < 0.4
    assert without_stalls(Exchange(1.0, 3.0, answered=True), [(0.5, 1.5), (2.0, 2.5), (4.0, 5.0)]) == 1.0
