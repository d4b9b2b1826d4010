"""Newest records that leaders do not tell though there are some: what followers lack a leader keeps to itself."""

import math
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from runbook.answers.kafka import TopicPartition
from runbook.answers.kafka.offsets import NEWEST, OLDEST, OffsetAndTimestamp
from runbook.connections.kafka.offsets import Places
from runbook.model.probe import Deadline

Ask = Callable[[Mapping[TopicPartition, int]], Places]
"""Asks leaders for places by times, or by one of the constants of `answers.kafka.offsets`, now."""

CLOSE: Final = 1000
"""Milliseconds within which the newest record is found that is told. Our judgement: nothing is judged closer."""
_PAUSES: Final = (0.01, 0.03, 0.1, 0.2)  # seconds
_ROUNDS: Final = 40
"""Questions to each leader at most: three find what was written within a second, 30 what is a year old."""


def newest_at_last(
    newest: Places, filled: Callable[[], AbstractSet[TopicPartition]], ask: Ask, clock: Deadline
) -> Places:
    """Ask again for newest records that are not told though there are some.

    A leader tells none while followers lack it (ReplicaManager.fetchOffset: beyond the high watermark), and none in its
    place. That takes milliseconds; but of a partition that is written to all the time, or on a busy machine, each
    question may meet it, and while a follower hangs all of them do. So in the end the newest that is told is looked for
    by its time, to within `CLOSE`.

    Args:
        newest: what was told.
        filled: gives the partitions that have records; not asked where everything was told.
        ask: asks once more.
        clock: the time for it.
    """
    found, gaps = newest
    missing = {partition for partition, offset in found.items() if offset.timestamp < 0}
    if missing:
        missing &= filled()
    for pause in _PAUSES:
        if not missing:
            break
        clock.sleep(pause)
        found = found | ask(dict.fromkeys(sorted(missing), NEWEST))[0]
        missing = {partition for partition in missing if found[partition].timestamp < 0}
    return found | _by_time(missing, ask, clock), gaps


def _by_time(
    missing: AbstractSet[TopicPartition], ask: Ask, clock: Deadline
) -> dict[TopicPartition, OffsetAndTimestamp]:
    """The newest records that are told, of partitions where the very newest is not; none of what is not found."""
    if not missing:
        return {}
    now = round(clock.now("newest") * 1000)
    searches = {partition: _Search(now) for partition in sorted(missing)}
    for _ in range(_ROUNDS):
        times = {partition: search.next() for partition, search in searches.items() if search.open}
        if not times:
            break
        found, _ = ask(times)
        for partition, asked in times.items():
            searches[partition].learn(asked, found.get(partition))
    return {partition: search.known for partition, search in searches.items() if search.known and search.close}


class _Search:
    """What is known of one partition: a record that is told, and a time from which on none is."""

    def __init__(self, now: int) -> None:
        self._now = now
        self._none_from: int | None = None
        self._step = CLOSE
        self.known: OffsetAndTimestamp | None = None
        self.open = True

    @property
    def close(self) -> bool:
        """Whether nothing that is told can be much newer than what is known."""
        known, none_from = self.known, self._none_from
        return known is not None and none_from is not None and none_from - known.timestamp <= CLOSE

    def next(self) -> int:
        """The time to ask for: whether any is told, then near now, then ever later, or between two that are known."""
        if self.known is None:
            return OLDEST
        since = self.known.timestamp
        if self._none_from is None:
            if since < self._now - CLOSE:
                return self._now - CLOSE
            self._step *= 2
            return since + self._step // 2
        between = (since + self._none_from) // 2
        if self._none_from < self._now:  # in the middle of both ages, in proportion
            between = self._now - round(math.sqrt((self._now - since) * (self._now - self._none_from)))
        return min(max(between, since + 1), self._none_from - 1)

    def learn(self, asked: int, first: OffsetAndTimestamp | None) -> None:
        """Take in which is the first record from a time on; None: nobody answers."""
        if first is not None and first.offset >= 0:
            if self.known is None or first.timestamp > self.known.timestamp:
                self.known = first
        elif first is not None and asked > OLDEST:
            self._none_from = asked
        else:  # nothing is told at all
            self.open = False
        self.open = self.open and not self.close
