"""A newest record that its leader does not tell yet is asked for again; one that isn't there is not."""

from runbook.connections.kafka.answers import TopicPartition
from runbook.connections.kafka.offset_requests import OffsetAndTimestamp
from runbook.connections.kafka.offsets import Places, newest_at_last
from runbook.model.quantity import Offset, PartitionNumber, Timestamp

BEATS, EMPTY, PLAIN = (TopicPartition(topic, PartitionNumber(0)) for topic in ("heartbeats", "empty", "orders"))


def at(offset: int, timestamp: int) -> OffsetAndTimestamp:
    return OffsetAndTimestamp(offset=Offset(offset), timestamp=Timestamp(timestamp))


UNTOLD = at(-1, -1)


class Leader:
    """Tells its newest record from the given question on."""

    def __init__(self, *, from_question: int) -> None:
        self.asked: list[set[TopicPartition]] = []
        self._from = from_question

    def __call__(self, topic_partitions: set[TopicPartition]) -> Places:
        """Answer one question."""
        self.asked.append(set(topic_partitions))
        newest = at(7, 1000) if len(self.asked) >= self._from else UNTOLD
        return dict.fromkeys(topic_partitions, newest), []


def test_a_record_that_followers_lack_is_asked_for_until_they_have_it():
    leader = Leader(from_question=2)
    found, gaps = newest_at_last(({BEATS: UNTOLD, PLAIN: at(3, 500)}, []), lambda: {BEATS, PLAIN}, leader)
    assert found == {BEATS: at(7, 1000), PLAIN: at(3, 500)}
    assert gaps == []
    assert leader.asked == [{BEATS}, {BEATS}]


def test_a_partition_without_records_is_not_asked_again():
    leader = Leader(from_question=1)
    assert newest_at_last(({EMPTY: UNTOLD}, []), set, leader) == ({EMPTY: UNTOLD}, [])
    assert leader.asked == []


def test_what_is_never_told_stays_unknown_after_a_few_questions():
    leader = Leader(from_question=99)
    found, _ = newest_at_last(({BEATS: UNTOLD}, []), lambda: {BEATS}, leader)
    assert found == {BEATS: UNTOLD}
    assert 1 < len(leader.asked) < 9


def test_a_leader_that_does_not_answer_again_costs_nothing_that_was_told():
    found, _ = newest_at_last(({BEATS: UNTOLD, PLAIN: at(3, 500)}, []), lambda: {BEATS}, lambda _: ({}, []))
    assert found == {BEATS: UNTOLD, PLAIN: at(3, 500)}


def test_what_everything_was_told_of_costs_no_question():
    def never() -> set[TopicPartition]:
        raise AssertionError

    assert newest_at_last(({PLAIN: at(3, 500)}, []), never, Leader(from_question=1))[0] == {PLAIN: at(3, 500)}
