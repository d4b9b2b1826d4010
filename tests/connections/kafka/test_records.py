"""How much is read of a log, and from where, of a leader that keeps to the rules of Fetch."""

import struct
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

from kafka.record.default_records import DefaultRecordBatch, DefaultRecordBatchBuilder

from runbook.answers.kafka import ReadLimits, ReadRecord, TopicPartition
from runbook.connections.kafka.records import Allowance, OffsetRange, newest
from runbook.model.fact import Gap

ATTRIBUTES = DefaultRecordBatch.ATTRIBUTES_OFFSET
BOUNDS = ReadLimits(records=5, partitions=10, size=1 << 20)


def batch(first: int, *values: bytes, control: bool = False) -> tuple[int, int, bytes]:
    """A batch, with its first offset and the one behind it."""
    builder = DefaultRecordBatchBuilder(2, 0, 0, -1, -1, -1, 1 << 24)
    for place, value in enumerate(values):
        builder.append(place, 1_700_000_000_000 + place, None, value, [])
    made = builder.build()
    struct.pack_into(">q", made, 0, first)
    if control:
        struct.pack_into(">h", made, ATTRIBUTES, DefaultRecordBatch.CONTROL_MASK)
    return first, first + len(values), bytes(made)


class Leader:
    """Answers Fetch as a broker does: within the bytes asked for, but for the first batch of all."""

    def __init__(self, logs: dict[tuple[str, int], list[tuple[int, int, bytes]]]) -> None:
        self.logs = logs
        self.asked: list[list[tuple[str, int, int]]] = []
        self.sent = 0

    def ask(self, node: int, label: str, request: Any) -> Any:
        """Answer one request."""
        del node, label
        left = request.max_bytes
        whole = True
        topics = []
        self.asked.append([(t.topic, p.partition, p.fetch_offset) for t in request.topics for p in t.partitions])
        for topic in request.topics:
            partitions = []
            for partition in topic.partitions:
                data = b""
                for _, behind, made in self.logs[topic.topic, partition.partition]:
                    room = min(left, partition.partition_max_bytes) - len(data)
                    if behind > partition.fetch_offset and (len(made) <= room or (whole and not data)):
                        data += made
                    elif data:
                        break
                whole = whole and not data
                left -= len(data)
                self.sent += len(data)
                partitions.append(SimpleNamespace(partition_index=partition.partition, error_code=0, records=data))
            topics.append(SimpleNamespace(topic=topic.topic, partitions=partitions))
        return SimpleNamespace(responses=topics)

    def read(self, bounds: ReadLimits = BOUNDS) -> tuple[list[ReadRecord], list[Gap]]:
        """Read the newest of its logs."""
        spans = [
            OffsetRange(topic_partition=TopicPartition(*topic_partition), leader=1, begin=log[0][0], end=log[-1][1])  # type: ignore[arg-type]
            for topic_partition, log in self.logs.items()
        ]
        with ThreadPoolExecutor(2) as pool:
            return newest(self, pool, spans, {}, bounds)  # type: ignore[arg-type]


def offsets(records: Sequence[ReadRecord]) -> list[int]:
    return [record.offset for record in records]


def test_the_newest_are_read_and_what_a_batch_holds_before_them_is_left_out():
    leader = Leader({("t", 0): [batch(0, *[b"v"] * 20)]})
    records, gaps = leader.read()
    assert (offsets(records), gaps) == ([15, 16, 17, 18, 19], [])


def test_where_the_end_holds_markers_only_it_looks_further_back_and_comes_to_an_end():
    markers = [batch(1 + n, b"commit", control=True) for n in range(30)]
    leader = Leader({("t", 0): [batch(0, b"v"), *markers]})
    records, gaps = leader.read()
    assert (offsets(records), gaps) == ([0], [])
    assert [asked[0][2] for asked in leader.asked] == [26, 0]


def test_a_partition_of_markers_alone_is_empty():
    leader = Leader({("t", 0): [batch(n, b"commit", control=True) for n in range(30)]})
    assert leader.read() == ([], [])


def test_offsets_that_compaction_took_are_passed_over():
    leader = Leader({("t", 0): [batch(0, b"v"), batch(1000, b"w")]})
    assert offsets(leader.read()[0]) == [1000]


def test_a_large_batch_does_not_keep_others_from_being_read():
    logs = {("t", n): [batch(0, b"x" * 400_000)] for n in range(3)} | {("u", 0): [batch(0, b"v")]}
    leader = Leader(logs)
    records, gaps = leader.read(ReadLimits(5, 10, 500_000))
    assert ({(record.topic, record.partition) for record in records}, gaps) == (set(logs), [])


def test_bytes_end_it_and_what_gave_nothing_is_a_gap():
    leader = Leader({("t", n): [batch(0, b"x" * 400_000)] for n in range(10)})
    records, gaps = leader.read(ReadLimits(5, 10, 100_000))
    assert leader.sent <= 4 * 100_000 + 400_100
    assert len(records) + len(gaps) == 10
    assert {gap.reason.partition(": ")[2] for gap in gaps} == {"the bytes that may be read are used up"}


def test_a_log_that_is_wanted_whole_is_read_from_its_beginning_and_a_gap_where_bytes_end():
    log = [batch(n, b"x" * 1000) for n in range(100)]
    records, gaps = Leader({("t", 0): log}).read(ReadLimits(1, 10, 1 << 20, whole=True))
    assert (offsets(records), gaps) == (list(range(100)), [])
    records, gaps = Leader({("t", 0): log}).read(ReadLimits(1, 10, 20_000, whole=True))
    assert (offsets(records)[0], len(records) < 100, len(gaps)) == (0, True, 1)


def test_bytes_that_are_no_batch_are_a_gap_that_does_not_quote_them():
    first, behind, made = batch(0, b"secret")
    leader = Leader({("t", 0): [(first, behind, made[:61] + b"\xff" * (len(made) - 61))]})
    records, gaps = leader.read()
    assert (records, [gap.reason for gap in gaps]) == ([], ["t-0: what came is no batch of records"])


def test_each_topic_gives_a_partition_before_any_gives_two():
    leader = Leader({("t", n): [batch(0, b"v")] for n in range(5)} | {("u", 0): [batch(0, b"v")]})
    records, gaps = leader.read(ReadLimits(5, 3, 1 << 20))
    assert ([(record.topic, record.partition) for record in records], gaps) == ([("t", 0), ("t", 1), ("u", 0)], [])


def test_patterns_allow_topics_and_kafkas_own_only_by_name():
    allowance = Allowance(["orders", "*.dlq", "__*"], {"__own", "__other"})
    assert [topic in allowance for topic in ("orders", "a.dlq", "orders2", "__own")] == [True, True, False, False]
    assert "__own" in Allowance(["__own"], {"__own"})
