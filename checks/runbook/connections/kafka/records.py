"""The newest records of partitions, within bounds: a few of each, a few partitions, so many bytes in all."""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from fnmatch import fnmatchcase
from typing import Final

from msgspec import Struct

from runbook.answers.kafka import Broker, Partition, ReadLimits, ReadRecord, TopicPartition
from runbook.answers.kafka.offsets import OffsetAndTimestamp
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.connections.kafka.record_requests import fetch
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap
from runbook.model.quantity import BrokerId, Offset

Records = tuple[list[ReadRecord], list[Gap]]

_FURTHER: Final = 64
"""How many times as far back it looks where the last offsets hold no record: compaction and transactions leave gaps."""

_LEAST: Final = 16 << 10  # bytes asked of a partition, so that many of them leave something of each. Our judgement


_GRACE: Final = 4
"""How many times its share of bytes may come so that each partition gives something: a batch comes whole."""


class Allowance:
    """Which topics' records may be read: those that fit a pattern; Kafka's own only where one is named in full."""

    def __init__(self, patterns: Iterable[str], own: Container[str]) -> None:
        """Allow these patterns; `own` are the topics that no `*` means."""
        self._patterns = tuple(patterns)
        self._own = own

    def __contains__(self, topic: str) -> bool:
        if topic in self._own:
            return topic in self._patterns
        return any(fnmatchcase(topic, pattern) for pattern in self._patterns)

    def divide(self, topics: Iterable[str]) -> tuple[list[str], list[Gap]]:
        """The topics that may be read, and a gap with the remedy for each other one."""
        allowed, gaps = [], []
        for topic in topics:
            if topic in self:
                allowed.append(topic)
            else:
                remedy = f"may_read: [{topic}] or a pattern that it fits, in the environment's entry of the inventory"
                gaps.append(Gap(f"records of {topic} may not be read; {remedy}, allows it", {"topic": topic}))
        return allowed, gaps


class OffsetRange(Struct, frozen=True, kw_only=True):
    """A partition that holds something: its leader, its first offset and the one that comes next."""

    topic_partition: TopicPartition
    leader: BrokerId
    begin: Offset
    end: Offset

    @property
    def name(self) -> str:
        """What sentences call it."""
        return f"{self.topic_partition.topic}-{self.topic_partition.partition}"


def spans(
    topics: Mapping[str, Sequence[Partition]],
    begins: Mapping[TopicPartition, OffsetAndTimestamp],
    ends: Mapping[TopicPartition, OffsetAndTimestamp],
) -> list[OffsetRange]:
    """The partitions that hold something, as far as their leaders told where they begin and end."""
    there = (
        (TopicPartition(name, partition.number), partition.leader)
        for name, found in topics.items()
        for partition in found
    )
    return [
        OffsetRange(
            topic_partition=partition, leader=leader, begin=begins[partition].offset, end=ends[partition].offset
        )
        for partition, leader in there
        if partition in begins and partition in ends and begins[partition].offset < ends[partition].offset
    ]


def newest(
    client: KafkaPythonClient,
    pool: Executor,
    spans: Sequence[OffsetRange],
    brokers: Mapping[int, Broker],
    bounds: ReadLimits,
) -> Records:
    """Read the newest records of partitions, each leader asked by itself, all at the same time.

    Returns:
        The records, by topic, partition and offset, and a gap for what holds records and gave none.
    """
    chosen, gaps = _chosen(spans, bounds.partitions)
    led: dict[int, list[OffsetRange]] = defaultdict(list)
    for span in chosen:
        led[span.leader].append(span)

    def of_leader(node: int) -> Records:
        label = brokers[node].label if node in brokers else f"broker {node}"
        share = bounds.size * len(led[node]) // len(chosen)
        return _Leader(client, node, label, share).read(led[node], bounds)

    read = list(pool.map(of_leader, led))
    found = sorted(
        (record for records, _ in read for record in records), key=lambda one: (one.topic, one.partition, one.offset)
    )
    return found, [*gaps, *(gap for _, lacking in read for gap in lacking)]


def _chosen(spans: Sequence[OffsetRange], most: int) -> tuple[list[OffsetRange], list[Gap]]:
    """As many as may be read: the first of each topic, then the second of each, and so on."""
    turns: dict[str, int] = defaultdict(int)
    queue = []
    for span in sorted(spans, key=lambda one: one.topic_partition):
        queue.append((turns[span.topic_partition.topic], span.topic_partition, span))
        turns[span.topic_partition.topic] += 1
    chosen = [span for _, _, span in sorted(queue, key=lambda one: one[:2])[:most]]
    left_out = sorted(turns.keys() - {span.topic_partition.topic for span in chosen})
    reason = f"no more than {most} partitions are read, which leaves it out"
    return chosen, [Gap(f"{topic}: {reason}", {"topic": topic}) for topic in left_out]


class _Leader:
    """Reads what one broker leads, until its share of bytes is used up."""

    def __init__(self, client: KafkaPythonClient, node: int, label: str, share: int) -> None:
        self._client, self._node, self._label = client, node, label
        self._share, self._spent = share, 0
        self._found: dict[OffsetRange, list[ReadRecord]] = {}
        self._failed: dict[OffsetRange, CannotLook] = {}

    def read(self, spans: Sequence[OffsetRange], bounds: ReadLimits) -> Records:
        """The newest records of each partition; further back where the last offsets hold none."""
        waiting = list(spans)
        for back in (None,) if bounds.whole else (bounds.records, bounds.records * _FURTHER, None):
            starts = {span: span.begin if back is None else max(span.begin, span.end - back) for span in waiting}
            self._to_the_end(starts)
            waiting = [
                span for span in waiting if span not in self._found.keys() | self._failed and starts[span] > span.begin
            ]
        lacking = {span: why for span, why in self._failed.items() if bounds.whole or span not in self._found}
        gaps = [Gap.of(why, {"topic": span.topic_partition.topic}) for span, why in lacking.items()]
        most = 0 if bounds.whole else -bounds.records
        return [record for records in self._found.values() for record in records[most:]], gaps

    def _to_the_end(self, starts: dict[OffsetRange, int]) -> None:
        """Ask on until each partition is read to its end; those that gave nothing yet come before those that did."""
        todo = starts
        while todo:
            fresh = {span: at for span, at in todo.items() if span not in self._found}
            asked = fresh or todo
            if self._spent >= self._share * (_GRACE if fresh else 1):
                self._fail(todo, "the bytes that may be read are used up")
                return
            before = self._spent
            reached = self._ask(asked)
            todo = {span: at for span, at in (todo | reached).items() if at < span.end and span not in self._failed}
            if self._spent == before:
                self._fail(asked.keys() & todo, "it gave nothing from where it was asked")
                todo = {span: at for span, at in todo.items() if span not in asked}

    def _ask(self, starts: Mapping[OffsetRange, int]) -> dict[OffsetRange, int]:
        """Ask once, keep what came, and give the offset that each partition was read up to."""
        size = max(_LEAST, (self._share - self._spent) // len(starts))
        try:
            pieces = fetch(
                self._client, self._node, self._label, {span.topic_partition: at for span, at in starts.items()}, size
            )
        except CannotLook as error:
            self._failed |= dict.fromkeys(starts, error)
            return {}
        reached: dict[OffsetRange, int] = {}
        for span in starts:
            piece = pieces.get(span.topic_partition) or CannotLook(f"{span.name} was left out of the answer")
            if isinstance(piece, CannotLook):
                self._failed[span] = piece
                continue
            self._spent += piece.size
            if piece.records:
                self._found.setdefault(span, []).extend(piece.records)
            if piece.next is not None:
                reached[span] = piece.next
        return reached

    def _fail(self, spans: Iterable[OffsetRange], why: str) -> None:
        self._failed |= {span: CannotLook(f"{span.name}: {why}") for span in spans}
