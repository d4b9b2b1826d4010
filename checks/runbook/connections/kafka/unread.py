"""When the record that a group is to read next was written, found without reading any: ListOffsets by time, searched.

A leader tells the first record that is at least as young as a moment. If that record lies behind the one in question,
the latter is older than the moment: so much is certain. If it lies before it, the one in question is as young or
younger where timestamps don't run backwards: that much is assumed, and the caller looks for signs against it.
What ends a transaction counts as a record there, with the time at which it ended.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec import Struct

from runbook.answers.kafka import TopicPartition
from runbook.answers.kafka.group_observations import Written
from runbook.answers.kafka.offsets import OffsetAndTimestamp
from runbook.model.quantity import Offset, Timestamp

Asking = Callable[[Mapping[TopicPartition, int]], Mapping[TopicPartition, OffsetAndTimestamp]]
"""Asks for a place in each partition, by a time of its own; what is not told is left out."""

_CLOSE: Final = 1000
"""Milliseconds that an answer may be wide. Our judgement: consumers commit every 5 s (auto.commit.interval.ms)."""
_CLOSE_SHARE: Final = 0.02
"""Or this share of the age: nobody acts differently on 50 or 51 minutes. Our judgement."""

_AT_ONCE: Final = 1000
"""So many records of a partition are not written within a millisecond. Our judgement: brokers take a
million small records a second in all. Where times are the broker's, a whole batch shares one."""


class Unread(Struct, frozen=True, kw_only=True):
    """What is asked of a partition.

    Attributes:
        topic_partition: the partition.
        offset: of what is to be read next; the first that there is, where that was deleted.
        end: the offset that the next record will get.
        sparse: offsets may be missing, as records were compacted away: which record comes next is then open.
        ordered: timestamps are the broker's own, and never run backwards.
    """

    topic_partition: TopicPartition
    offset: Offset
    end: Offset
    sparse: bool
    ordered: bool


class _Bracket:
    """What is known of one record: the youngest place at or before it, and the oldest behind it."""

    def __init__(self, asked: Unread, now: int) -> None:
        self.asked = asked
        self._now = now
        self.before: OffsetAndTimestamp | None = None
        self.behind = OffsetAndTimestamp(offset=asked.end, timestamp=Timestamp(now))
        self.below = now + 1  # its timestamp is below this
        self.exact = False
        self._turn = 0

    def learn(self, time: int, found: OffsetAndTimestamp) -> None:
        """Take in that this is the first place from a time on."""
        if 0 <= found.offset <= self.asked.offset:
            if self.before is None or found.timestamp > self.before.timestamp:
                self.before = found
            self.exact = self.exact or found.offset == self.asked.offset
        elif time < self.below:
            self.below = time
            if 0 <= found.offset < self.behind.offset:
                self.behind = found

    @property
    def open(self) -> bool:
        """Whether asking again could tell it closer."""
        if self.exact or self.before is None:
            return False
        wide = self.below - 1 - self.before.timestamp
        far = not self.asked.ordered and self.asked.offset - self.before.offset > _AT_ONCE
        return wide > max(_CLOSE, _CLOSE_SHARE * (self._now - self.before.timestamp)) or (far and wide > 0)

    def next(self) -> int:
        """The time to ask for: where the record should be if records came evenly, and every other time the middle."""
        assert self.before is not None
        low, high = self.before.timestamp, self.below
        share = (self.asked.offset - self.before.offset) / max(1, self.behind.offset - self.before.offset)
        self._turn += 1
        guess = low + round((high - low) * (share if self._turn % 2 else 0.5))
        return min(max(guess, low + 1), high - 1)

    def written(self) -> Written | None:
        """What has come of it; None if nothing of the partition was told."""
        if self.before is None:
            return None
        earliest = self.before.timestamp
        if self.exact:
            return Written(earliest=earliest, latest=earliest)
        latest = Timestamp(max(earliest, self.below - 1))
        if not self.asked.ordered and self.asked.offset - self.before.offset > _AT_ONCE:
            return Written(earliest=None, latest=latest)
        if self.asked.sparse:  # then it may be the one that was found behind
            latest = max(latest, self.behind.timestamp)
        return Written(earliest=earliest, latest=latest)


class Search:
    """Finds for many records at once when they were written; answers serve all that ask about the same partition."""

    def __init__(
        self,
        wanted: Iterable[Unread],
        now: int,
        oldest: Mapping[TopicPartition, OffsetAndTimestamp],
        newest: Mapping[TopicPartition, OffsetAndTimestamp],
    ) -> None:
        """Begin with what is known.

        Args:
            wanted: the records.
            now: ms since 1970.
            oldest: the first place of each partition that has a time.
            newest: the place with the latest time.
        """
        self._brackets: dict[TopicPartition, list[_Bracket]] = {}
        self.rounds = 0
        """How many requests each leader was sent, at most."""
        for unread in wanted:
            bracket = _Bracket(unread, now)
            self._brackets.setdefault(unread.topic_partition, []).append(bracket)
            first = oldest.get(unread.topic_partition)
            if first is not None and first.offset > unread.offset:  # nothing is left between: this is what comes next
                bracket.exact, bracket.before = True, first
            elif first is not None and first.offset >= 0:
                bracket.learn(0, first)
            if (last := newest.get(unread.topic_partition)) is not None and last.offset >= 0:
                bracket.learn(last.timestamp, last)

    def run(self, ask: Asking, rounds: int, *, go_on: Callable[[], bool] = lambda: True) -> None:
        """Ask until all are told closely enough, at most so many times, and as long as there is time."""
        while self.rounds < rounds and go_on():
            times = {
                partition: next(bracket for bracket in brackets if bracket.open).next()
                for partition, brackets in self._brackets.items()
                if any(bracket.open for bracket in brackets)
            }
            if not times:
                return
            self.rounds += 1
            answers = ask(times)
            for partition, place in answers.items():
                for bracket in self._brackets[partition]:
                    bracket.learn(times[partition], place)
            for partition in times.keys() - answers.keys():  # who does not tell is not asked again
                self._brackets[partition] = []

    def found(self) -> dict[tuple[TopicPartition, Offset], Written]:
        """By partition and offset, what was found out."""
        times = ((bracket.asked, bracket.written()) for brackets in self._brackets.values() for bracket in brackets)
        return {(asked.topic_partition, asked.offset): written for asked, written in times if written is not None}
