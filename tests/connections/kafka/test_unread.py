"""The search by time against logs of which every timestamp is known."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from runbook.answers.kafka import TopicPartition
from runbook.answers.kafka.group_observations import Written
from runbook.answers.kafka.offsets import OffsetAndTimestamp
from runbook.connections.kafka.unread import Search, Unread
from runbook.model.quantity import Offset, PartitionNumber, Timestamp

PARTITION = TopicPartition("orders", PartitionNumber(5))
START = 1_700_000_000_000


class Log:
    """A partition, as its leader tells of it."""

    def __init__(self, stamps: Mapping[int, int], end: int | None = None) -> None:
        self.stamps = dict(sorted(stamps.items()))
        self.end = max(self.stamps, default=-1) + 1 if end is None else end
        self.asked = 0

    def first(self, time: int) -> OffsetAndTimestamp:
        """The first place from a time on, as ListOffsets tells it."""
        for offset, stamp in self.stamps.items():
            if stamp >= time:
                return OffsetAndTimestamp(offset=Offset(offset), timestamp=Timestamp(stamp))
        return OffsetAndTimestamp(offset=Offset(-1), timestamp=Timestamp(-1))

    def newest(self) -> OffsetAndTimestamp:
        """The place with the latest time."""
        return self.first(max(self.stamps.values(), default=START))

    def ask(self, times: Mapping[TopicPartition, int]) -> dict[TopicPartition, OffsetAndTimestamp]:
        """Answer a round of questions."""
        self.asked += 1
        return {topic_partition: self.first(time) for topic_partition, time in times.items()}


def found(
    log: Log, *offsets: int, now: int, rounds: int = 40, sparse: bool = False, ordered: bool = False
) -> list[Written | None]:
    wanted = [
        Unread(topic_partition=PARTITION, offset=Offset(offset), end=Offset(log.end), sparse=sparse, ordered=ordered)
        for offset in offsets
    ]
    search = Search(wanted, now, {PARTITION: log.first(0)}, {PARTITION: log.newest()})
    search.run(log.ask, rounds)
    assert search.rounds == log.asked <= rounds
    return [search.found().get((PARTITION, Offset(offset))) for offset in offsets]


def evenly(count: int, step: int) -> Log:
    return Log({offset: START + offset * step for offset in range(count)})


@given(
    st.lists(st.integers(0, 200_000), min_size=1, max_size=60),
    st.integers(0, 500_000),
    st.data(),
)
def test_in_order_the_answer_holds_the_truth_and_is_close(steps: Sequence[int], later: int, data: st.DataObject):
    stamps = [START + step for step in accumulate(steps)]
    log, now = Log(dict(enumerate(stamps))), stamps[-1] + later
    offset = data.draw(st.integers(0, len(stamps) - 1))
    [written] = found(log, offset, now=now)
    assert written is not None
    assert written.earliest is not None
    assert written.earliest <= stamps[offset] <= written.latest
    assert written.latest - written.earliest <= max(1000, 0.02 * (now - written.earliest))


@given(st.lists(st.integers(-50_000, 200_000), min_size=1, max_size=60), st.data())
def test_out_of_order_it_is_never_younger_than_told(steps: Sequence[int], data: st.DataObject):
    stamps = [START + 10_000_000 + step for step in accumulate(steps)]
    log, now = Log(dict(enumerate(stamps))), max(stamps) + 1000
    offset = data.draw(st.integers(0, len(stamps) - 1))
    [written] = found(log, offset, now=now)
    assert written is not None
    assert stamps[offset] <= written.latest


def test_records_that_come_evenly_take_few_rounds():
    log = evenly(5000, 1000)
    assert found(log, 1234, now=START + 5_000_000) != [None]
    assert log.asked <= 3


def test_groups_at_the_same_partition_share_what_is_told():
    log = evenly(2000, 1000)
    counts = found(log, 100, 101, 1900, now=START + 2_000_000)
    assert [
        count is not None and count.earliest is not None and count.earliest <= START + at * 1000 <= count.latest
        for count, at in zip(counts, (100, 101, 1900), strict=True)
    ] == [True] * 3
    assert log.asked <= 8


def test_where_the_record_is_met_it_is_told_exactly():
    log = Log({0: START, 1: START + 3_600_000, 2: START + 7_200_000})
    [written] = found(log, 1, now=START + 9_000_000)
    assert written == Written(earliest=Timestamp(START + 3_600_000), latest=Timestamp(START + 3_600_000))


def test_what_comes_first_behind_a_gap_at_the_beginning_is_told_by_its_own_time():
    log = Log({7: START + 5000, 8: START + 90_000})
    [written] = found(log, 3, now=START + 100_000)
    assert written == Written(earliest=Timestamp(START + 5000), latest=Timestamp(START + 5000))


def sent_again(count: int) -> Log:
    """A thousand records of the last quarter of an hour, and then so many from long ago."""
    recent = {offset: START + 9_000_000 + offset * 1000 for offset in range(1000)}
    return Log(recent | {1000 + offset: START + offset for offset in range(count)})


def test_so_many_old_records_behind_young_ones_that_times_run_backwards_leave_the_beginning_open():
    [written] = found(sent_again(3000), 2500, now=START + 10_100_000)
    assert written == Written(earliest=None, latest=Timestamp(START + 9_999_000))


def test_a_batch_of_one_time_is_no_such_sign_nor_are_many_where_the_broker_sets_it():
    [few] = found(sent_again(3000), 1900, now=START + 10_100_000)
    assert few is not None
    assert few.earliest == START + 9_999_000
    [ordered] = found(sent_again(3000), 2500, now=START + 10_100_000, ordered=True)
    assert ordered is not None
    assert ordered.earliest is not None


def test_records_in_order_that_come_fast_are_no_such_sign():
    log = Log({offset: START + offset // 100 for offset in range(100_000)})
    [written] = found(log, 51_050, now=START + 2000)
    assert written is not None
    assert written.earliest == START + 510


def test_in_a_compacted_log_the_next_record_may_be_the_one_behind_the_gap():
    log = Log({0: START, 1: START + 100_000, 9: START + 800_000})
    assert found(log, 4, now=START + 900_000, sparse=True) == [
        Written(earliest=Timestamp(START + 100_000), latest=Timestamp(START + 800_000))
    ]
    gone = Log({0: START, 1: START + 1000}, end=9)
    [written] = found(gone, 4, now=START + 900_000, sparse=True)
    assert written is not None
    assert written.latest == START + 900_000


def test_a_limit_of_rounds_leaves_a_wider_answer_that_holds():
    stamps = {0: START, 1: START + 1, 2: START + 50_000_000, 3: START + 90_000_000}
    [written] = found(Log(stamps), 1, now=START + 100_000_000, rounds=1)
    assert written is not None
    assert written.earliest is not None
    assert written.earliest <= START + 1 <= written.latest
    assert written.latest - written.earliest > 1_000_000


def test_who_does_not_tell_is_unknown():
    wanted = Unread(topic_partition=PARTITION, offset=Offset(5), end=Offset(9), sparse=False, ordered=False)
    log = evenly(9, 100_000)
    search = Search([wanted], START + 900_000, {PARTITION: log.first(0)}, {})
    search.run(lambda _: {}, 40)
    assert (search.rounds, search.found()) == (1, {})
    nothing = Search([wanted], START, {}, {})
    nothing.run(log.ask, 40)
    assert (nothing.rounds, nothing.found()) == (0, {})


def test_it_ends_where_no_time_is_left():
    wanted = Unread(topic_partition=PARTITION, offset=Offset(5), end=Offset(9), sparse=False, ordered=False)
    log = evenly(9, 100_000)
    search = Search([wanted], START + 900_000, {PARTITION: log.first(0)}, {})
    search.run(log.ask, 40, go_on=lambda: False)
    assert search.rounds == 0
