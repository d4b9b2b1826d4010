"""Waiting until the lab's cluster is as it should be."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from kafka_lab.admin import metadata
from kafka_lab.brokers import last_words
from kafka_lab.errors import LabError
from kafka_lab.state import LabBroker, LabState

_POLL = 0.2
_SAID_AFTER: Final = 1.0  # seconds
_SAID_AGAIN: Final = 10.0  # seconds; as `runbook lab up` names a step again

_SAYS: Final[ContextVar[Callable[[str], None] | None]] = ContextVar("what is told what is waited for", default=None)


@contextmanager
def saying(progress: Callable[[str], None] | None) -> Iterator[None]:
    """Meanwhile a wait that lasts says what it waits for: after a second, and again every ten.

    Args:
        progress: Called with a line of text; None: nothing is said.
    """
    before = _SAYS.set(progress)
    try:
        yield
    finally:
        _SAYS.reset(before)


class _Wait:
    """A wait, which says what for when it lasts."""

    def __init__(self, what: str, within: float) -> None:
        self._what, self._within = what, within
        self._start = time.monotonic()
        self._next = _SAID_AFTER

    @property
    def is_over(self) -> bool:
        """Whether its time is up."""
        return time.monotonic() - self._start >= self._within

    def pause(self) -> None:
        """Let some time pass, and say what is waited for if it is time to."""
        says, lasted = _SAYS.get(), time.monotonic() - self._start
        if says is not None and lasted >= self._next:
            says(f"{'Waiting' if self._next == _SAID_AFTER else 'still waiting'} for {self._what}")
            self._next = lasted + _SAID_AGAIN
        time.sleep(_POLL)


def wait_until(condition: Callable[[], bool], what: str, *, within: float) -> None:
    """Wait for something to become true.

    Args:
        condition: Asked five times a second; a LabError it raises means not yet.
        what: What is waited for, as the end of "waited … for".
        within: Seconds to wait.

    Raises:
        LabError: It did not become true.
    """
    wait = _Wait(what, within)
    reason = ""
    while not wait.is_over:
        try:
            if condition():
                return
        except LabError as error:
            reason = f": {error}"
        wait.pause()
    raise LabError(f"Waited {within:.0f} s in vain for {what}{reason}")


def wait_until_all_see(lab: LabState, condition: Callable[[Any], bool], what: str, *, within: float) -> None:
    """Wait until the metadata of every living broker meets a condition: brokers learn of a change one after the other.

    Args:
        lab: The lab.
        condition: Gets confluent_kafka's cluster metadata as one broker has it.
        what: What is waited for, as the end of "waited … for".
        within: Seconds to wait.

    Raises:
        LabError: It was not met, or there is no living broker.
    """

    def agreed() -> bool:
        alive = [broker for broker in lab.brokers if broker.condition == "alive"]
        return bool(alive) and all(condition(metadata(lab, broker.address)) for broker in alive)

    try:
        wait_until(agreed, what, within=within)
    except LabError as error:
        conditions = ", ".join(f"broker {broker.number} {broker.condition}" for broker in lab.brokers)
        raise LabError(f"{error} ({conditions})") from error


def wait_for_brokers(lab: LabState, *, within: float = 120.0) -> None:
    """Wait until every broker answers and none is fenced.

    Raises:
        LabError: One died, with the end of its log, or they took too long.
    """
    wait = _Wait(f"all brokers of lab {lab.name} to answer", within)
    waiting = list(lab.brokers)
    while waiting:
        for broker in lab.brokers:
            if broker.condition == "stopped":
                raise LabError(
                    f"Broker {broker.number} of lab {lab.name} died. Its log, {lab.log_of(broker)}, ends:\n"
                    f"{last_words(lab, broker)}"
                )
        waiting = [broker for broker in waiting if not _sees_all(lab, broker)]
        if waiting and wait.is_over:
            numbers = ", ".join(str(broker.number) for broker in waiting)
            raise LabError(
                f"Broker {numbers} of lab {lab.name} did not join the cluster in {within:.0f} s. Its log, "
                f"{lab.log_of(waiting[0])}, ends:\n{last_words(lab, waiting[0])}"
            )
        if waiting:
            wait.pause()


def wait_for_full_isr(lab: LabState, *, preferred: bool = False, within: float = 120.0) -> None:
    """Wait until every partition has a leader and all its replicas in sync, in the eyes of every broker.

    A broker that was frozen shows for a moment what it knew before: hence all of them must agree.

    Args:
        lab: The lab.
        preferred: The leader must be the preferred one too.
        within: Seconds to wait.

    Raises:
        LabError: They took too long.
    """

    def whole(one: Any) -> bool:
        leads = one.leader == one.replicas[0] if preferred else one.leader >= 0
        return leads and set(one.isrs) == set(one.replicas)

    def full(seen: Any) -> bool:
        return all(whole(partition) for topic in seen.topics.values() for partition in topic.partitions.values())

    wait_until_all_see(lab, full, f"all replicas of lab {lab.name} to be in sync", within=within)


def _sees_all(lab: LabState, broker: LabBroker) -> bool:
    """Whether this broker itself answers and knows every broker; metadata leaves out the fenced ones."""
    try:
        return len(metadata(lab, broker.address).brokers) == len(lab.brokers)
    except LabError:
        return False
