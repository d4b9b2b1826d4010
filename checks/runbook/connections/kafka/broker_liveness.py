"""What came of greeting the brokers: who answered as itself, how soon and over which connection, and who did not.

A request may be lost on the way, by a network that drops some or a proxy between, while the broker is well. So a
broker that has not answered yet is tried again over new connections while the first waits on, and within its time: a
broker that hangs costs no more for it. Requests are lost on the way where a later try is answered before the first, or
where a broker's tries end in unlike ways: one is cut off, and another is left in silence for longer than that took.
That a broker's tries all came to nothing then proves nothing about it.
"""

import threading
import time
from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct

from runbook.answers.kafka.errors import BY_CHANCE, AnotherCluster, CutInHandshake, HungUp, LostOnTheWay
from runbook.connections.kafka.identity import together
from runbook.model.errors import CannotLook, TimedOut

TRIES: Final = (0.0, 1 / 3, 1 / 2, 2 / 3)
"""When each try begins, as a share of the seconds that the first one has: our judgement."""

_ALIKE: Final = 0.5
"""Seconds by which a try in silence has to outlast one that was cut off, to have ended otherwise: our judgement."""


def lost(reason: CannotLook, why: str) -> LostOnTheWay:
    """Say that it is not known whether a broker answers, though it did not, and what shows that requests are lost."""
    return LostOnTheWay(f"{reason}, but {why}: whether it answers is not known", reason)


class BrokerConnection(Struct, frozen=True):
    """A connection to a broker: the manager that keeps it, and how that calls the broker."""

    manager: Any
    node: int | str


class _Failure(Struct, frozen=True):
    """What a try came to, and the seconds it took."""

    reason: CannotLook
    seconds: float


class BrokerLiveness:
    """The brokers that are greeted, noted from the thread that drives the connections and read from any."""

    def __init__(self) -> None:
        """Expect nobody yet."""
        self._changed = threading.Condition()
        self._expected: set[int] = set()
        self._lines: dict[int, BrokerConnection] = {}
        self._took: dict[int, float] = {}
        self._began: dict[int, float] = {}
        self._waited: dict[int, float] = {}
        self._tried: dict[tuple[int, int], float] = {}
        self._failures: dict[int, list[_Failure]] = {}
        self._silent: dict[int, CannotLook] = {}
        self._answered_later: set[int] = set()

    def expect(self, brokers: Iterable[int]) -> None:
        """These are greeted now."""
        with self._changed:
            self._expected.update(expected := [*brokers])
            for broker in expected:
                self._began.setdefault(broker, time.monotonic())

    def begin(self, broker: int, since: float | None = None) -> None:
        """One that is not expected is tried now, or since a moment of the monotonic clock."""
        with self._changed:
            self._began.setdefault(broker, time.monotonic() if since is None else since)

    def end(self, broker: int) -> None:
        """Nothing more is waited for from a broker."""
        with self._changed:
            if broker in self._began:
                self._waited.setdefault(broker, time.monotonic() - self._began[broker])

    def waited(self, broker: int) -> float | None:
        """Seconds from the first try until the broker had answered, failed or been given up; None if not tried."""
        with self._changed:
            return self._waited.get(broker)

    def begin_try(self, broker: int, number: int) -> None:
        """The n-th try begins now."""
        with self._changed:
            self._tried[broker, number] = time.monotonic()

    def answered(self, broker: int, line: BrokerConnection, number: int) -> None:
        """Note that the n-th try was answered by the broker itself."""
        with self._changed:
            if broker not in self._lines:
                self._lines[broker] = line
                self._took[broker] = self._since(broker, number)
                if number:
                    self._answered_later.add(broker)
                self.end(broker)
            self._changed.notify_all()

    def failed(self, broker: int, reason: CannotLook, number: int) -> None:
        """Note what the n-th try came to; the broker does not answer once all were lost, or one failed otherwise."""
        with self._changed:
            failures = self._failures.setdefault(broker, [])
            failures.append(_Failure(reason, self._since(broker, number)))
            by_chance = isinstance(reason, BY_CHANCE)
            if broker not in self._lines and (not by_chance or len(failures) >= len(TRIES)):
                self._silent.setdefault(broker, failures[0].reason if by_chance else reason)
                self.end(broker)
            self._changed.notify_all()

    def is_due(self, broker: int, number: int) -> bool:
        """Whether the n-th try need not wait, as all before it failed."""
        with self._changed:
            return len(self._failures.get(broker, ())) >= number

    def is_settled(self, broker: int) -> bool:
        """Whether nothing more is to be found out about a broker."""
        with self._changed:
            return broker in self._lines or broker in self._silent

    def wait_for(self, broker: int, seconds: float) -> CannotLook | None:
        """Wait until a broker is settled, and return why it does not answer; None if it does, or is not settled."""
        with self._changed:
            self._changed.wait_for(lambda: broker in self._lines or broker in self._silent, seconds)
            return None if broker in self._lines else self._silent.get(broker)

    def wait_for_most(self, seconds: float) -> None:
        """Wait until all are settled; once one has answered, no longer than others need that are as quick."""
        began = time.monotonic()

        with self._changed:
            self._changed.wait_for(lambda: bool(self._lines) or self._are_settled(), seconds)
            self._changed.wait_for(self._are_settled, together(time.monotonic() - began))

    def stranger(self) -> CannotLook | None:
        """That another cluster answers where a broker should, if one does."""
        with self._changed:
            return next((reason for reason in self._silent.values() if isinstance(reason, AnotherCluster)), None)

    def line(self, broker: int) -> BrokerConnection | None:
        """The connection over which a broker answered."""
        with self._changed:
            return self._lines.get(broker)

    def seconds(self, broker: int) -> float | None:
        """Seconds until a broker was connected and recognised; None if it was not."""
        with self._changed:
            return self._took.get(broker)

    def place(self, number: int, seconds: float) -> int | None:
        """The broker that was the n-th to answer, waiting for it if need be; None if there are no more."""

        def is_known() -> bool:
            return len(self._lines) > number or len(self._lines) + len(self._silent) >= len(self._expected)

        with self._changed:
            self._changed.wait_for(is_known, seconds)
            return [*self._lines][number] if len(self._lines) > number else None

    def proved(self, broker: int, reason: CannotLook, *, answered: bool) -> CannotLook:
        """Why a broker does not answer, as far as the tries of all brokers prove it.

        Args:
            broker: its number.
            reason: what its tries came to.
            answered: whether the server at its address told us its cluster, a moment before.
        """
        if not isinstance(reason, BY_CHANCE):
            return reason
        if answered:
            why = "it had answered a moment before"
        elif self._end_in_unlike_ways(broker):
            why = "its tries ended in unlike ways, as requests that are lost on the way do"
        elif others := self._losing(broker):
            why = f"requests to {' and '.join(f'broker {other}' for other in others)} were lost on the way, too"
        else:
            return reason
        return lost(reason, why)

    def wait_for_all(self, seconds: float) -> None:
        """Wait until all are settled that are greeted."""
        with self._changed:
            self._changed.wait_for(self._are_settled, seconds)

    def _since(self, broker: int, number: int) -> float:
        now = time.monotonic()
        return now - self._tried.get((broker, number), now)

    def _are_settled(self) -> bool:
        return self._expected <= self._lines.keys() | self._silent.keys()

    def _losing(self, broker: int) -> list[int]:
        """The other brokers to which requests were seen to be lost."""
        with self._changed:
            tried = [*self._failures]
        unlike = {other for other in tried if self._end_in_unlike_ways(other)}
        return sorted((unlike | self._answered_later) - {broker})

    def _end_in_unlike_ways(self, broker: int) -> bool:
        """Whether one try was cut off and another left in silence for longer than that took.

        A proxy that hangs up after some seconds, as nobody answers it behind, leaves tries in silence that had fewer.
        """
        with self._changed:
            failures = [*self._failures.get(broker, ())]
        silent = [failure.seconds for failure in failures if isinstance(failure.reason, TimedOut)]
        cut = [failure.seconds for failure in failures if isinstance(failure.reason, (HungUp, CutInHandshake))]
        return bool(silent and cut) and max(silent) > min(cut) + _ALIKE
