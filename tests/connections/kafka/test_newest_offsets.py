"""A newest record that its leader does not tell yet is asked for again, and looked for; none that isn't there is."""

import time
from collections.abc import Mapping, Sequence

import pytest

from runbook.answers.kafka import TopicPartition
from runbook.answers.kafka.offsets import NEWEST, OffsetAndTimestamp
from runbook.connections.kafka.newest import CLOSE, newest_at_last
from runbook.connections.kafka.offsets import Places
from runbook.model.probe import Deadline
from runbook.model.quantity import Offset, PartitionNumber, Timestamp

BEATS, EMPTY, PLAIN = (TopicPartition(topic, PartitionNumber(0)) for topic in ("heartbeats", "empty", "orders"))
CLOCK = Deadline(5)
HOUR = 3_600_000  # milliseconds


def at(offset: int, timestamp: int) -> OffsetAndTimestamp:
    return OffsetAndTimestamp(offset=Offset(offset), timestamp=Timestamp(timestamp))


UNTOLD = at(-1, -1)


class Leader:
    """Tells its newest record from the given question for it on, and of what followers have the first from a time on.

    Attributes:
        asked: the partitions of each question for the newest.
        searched: how often it was asked for another time.
    """

    def __init__(self, *, from_question: int, followers_have: Sequence[int] = ()) -> None:
        self.asked: list[set[TopicPartition]] = []
        self.searched = 0
        self._from = from_question
        self._have = sorted(followers_have)

    def __call__(self, times: Mapping[TopicPartition, int]) -> Places:
        """Answer one question."""
        if NEWEST not in times.values():
            self.searched += 1
            return {partition: self._first(asked) for partition, asked in times.items()}, []
        self.asked.append({*times})
        newest = at(7, 1000) if len(self.asked) >= self._from else UNTOLD
        return dict.fromkeys(times, newest), []

    def _first(self, asked: int) -> OffsetAndTimestamp:
        return next((at(offset, stamp) for offset, stamp in enumerate(self._have) if stamp >= asked), UNTOLD)


def now() -> int:
    return round(time.time() * 1000)


def looked_for(leader: Leader) -> OffsetAndTimestamp:
    return newest_at_last(({BEATS: UNTOLD}, []), lambda: {BEATS}, leader, CLOCK)[0][BEATS]


def test_a_record_that_followers_lack_is_asked_for_until_they_have_it():
    leader = Leader(from_question=2)
    found, gaps = newest_at_last(({BEATS: UNTOLD, PLAIN: at(3, 500)}, []), lambda: {BEATS, PLAIN}, leader, CLOCK)
    assert found == {BEATS: at(7, 1000), PLAIN: at(3, 500)}
    assert gaps == []
    assert leader.asked == [{BEATS}, {BEATS}]
    assert leader.searched == 0


def test_a_partition_without_records_is_not_asked_again():
    leader = Leader(from_question=1)
    assert newest_at_last(({EMPTY: UNTOLD}, []), set, leader, CLOCK) == ({EMPTY: UNTOLD}, [])
    assert leader.asked == []


@pytest.mark.parametrize("age", [0, 500, 5_000, 61_000, 30 * HOUR, 24 * 365 * HOUR])
@pytest.mark.parametrize("ahead", [0, 40_000])
def test_of_what_is_written_to_all_the_time_the_newest_that_followers_have_is_found(age: int, ahead: int) -> None:
    """Also by producers whose clock is ahead of ours."""
    last = now() + ahead - age
    leader = Leader(from_question=99, followers_have=[last - 40 * HOUR, last - 90_000, last - 1_500, last])
    assert 0 <= last - looked_for(leader).timestamp <= CLOSE
    assert leader.searched <= 40


def test_what_is_written_to_now_takes_three_questions() -> None:
    leader = Leader(from_question=99, followers_have=range(now() - 60_000, now(), 10))
    looked_for(leader)
    assert leader.searched <= 3


def test_where_followers_have_nothing_nothing_is_known():
    leader = Leader(from_question=99)
    assert looked_for(leader) == UNTOLD
    assert 1 < len(leader.asked) < 9
    assert leader.searched == 1


def test_a_leader_that_does_not_answer_again_costs_nothing_that_was_told():
    found, _ = newest_at_last(({BEATS: UNTOLD, PLAIN: at(3, 500)}, []), lambda: {BEATS}, lambda _: ({}, []), CLOCK)
    assert found == {BEATS: UNTOLD, PLAIN: at(3, 500)}


def test_a_leader_that_falls_silent_in_the_midst_proves_nothing():
    """What it told of one second is not the newest, as it did not say that there is none after it."""
    leader = Leader(from_question=99, followers_have=[now() - 900])
    found, _ = newest_at_last(
        ({BEATS: UNTOLD}, []), lambda: {BEATS}, lambda times: ({}, []) if leader.searched else leader(times), CLOCK
    )
    assert found == {BEATS: UNTOLD}


def test_what_everything_was_told_of_costs_no_question():
    def never() -> set[TopicPartition]:
        raise AssertionError

    assert newest_at_last(({PLAIN: at(3, 500)}, []), never, Leader(from_question=1), CLOCK)[0] == {PLAIN: at(3, 500)}
