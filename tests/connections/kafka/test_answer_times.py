"""How long a broker's answers take, timed on kafka-python's own loop beside a broker that is played."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from runbook.answers.kafka import AnswerTimes
from runbook.connections.kafka.answer_times import AnswerTimer, Exchange, goes_on, stretch_of, without_stalls
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


def timed(net: Any, broker: Stutters, *, brokers: int = 3, stretch: float = 1.0) -> AnswerTimes:
    found: AnswerTimes = net.run(AnswerTimer(net, broker.answer, broker.answer, brokers=brokers).times, stretch)
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


def test_a_quick_broker_costs_the_stretch(net: Any) -> None:
    began = time.monotonic()
    found = timed(net, Stutters(net, frozen=0, every=1, at=0))
    assert 1.0 <= time.monotonic() - began < 2.0
    assert len(found.seconds) >= 5
    assert found.unanswered == 0


@pytest.mark.parametrize("at", [0.0, 0.4, 0.7, 0.76, 0.95])
def test_a_broker_that_stops_again_and_again_is_met_at_its_stop_whenever_it_is_asked_first(net: Any, at: float) -> None:
    found = timed(net, Stutters(net, frozen=0.75, every=1.0, at=at), stretch=1.0)
    assert 0.4 < max(found.seconds) < 1.0  # the rest of a stop, by when the first request met it


@pytest.mark.parametrize("at", [2.5, 5.9])
def test_a_broker_that_works_for_three_and_a_half_seconds_between_its_stops_is_met_at_one(net: Any, at: float) -> None:
    """By the default deadline, once a machine that is busy has used a quarter of it."""
    found = timed(net, Stutters(net, frozen=2.5, every=6.0, at=at), stretch=stretch_of(7.5))
    assert max(found.seconds) > 2.0


def test_the_stretch_grows_with_the_time_and_leaves_some_of_it() -> None:
    assert [stretch_of(left) for left in (2.0, 4.0, 8.0, 40.0, 60.0)] == pytest.approx([1.1, 2.2, 4.0, 4.0, 6.0])


def test_two_long_answers_or_the_stretch_are_enough() -> None:
    assert not goes_on(exchanges(1.2, 0.003, 1.2), 2.6, 4.0)
    assert goes_on(exchanges(0.003, 1.2), 1.3, 4.0)
    assert not goes_on(exchanges(0.003, 1.2), 4.0, 4.0)


def test_requests_that_nobody_answers_are_counted_and_two_are_enough(net: Any) -> None:
    broker = Stutters(net, frozen=0, every=1, at=0)

    async def lose() -> None:
        raise TimeoutError

    found = net.run(AnswerTimer(net, broker.answer, lose, brokers=3).times, 1.0)
    assert (len(found.seconds), found.unanswered) == (1, 2)


def test_what_we_ourselves_stood_still_does_not_count(net: Any) -> None:
    slept: list[bool] = []

    async def answer() -> None:
        if not slept:
            await net.sleep(0.2)
            slept.append(True)
            stand_still()
        await net.sleep(0.001)

    found = net.run(AnswerTimer(net, Stutters(net, frozen=0, every=1, at=0).answer, answer, brokers=3).times, 1.0)
    assert max(found.seconds) < 0.4
    assert without_stalls(Exchange(1.0, 3.0, answered=True), [(0.5, 1.5), (2.0, 2.5), (4.0, 5.0)]) == 1.0
