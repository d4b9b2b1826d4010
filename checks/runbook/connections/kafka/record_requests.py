"""The one request that reads records: Fetch, by assignment. Nothing is committed, and no group takes part."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from runbook.answers.kafka import ReadRecord, TopicPartition
from runbook.connections.kafka.errors import from_code
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.model.errors import CannotLook, Garbled, Misconfigured
from runbook.model.quantity import Bytes, Offset
from runbook.plugins.guard import attempt

_OLDEST: Final = 4
_NEWEST: Final = 12
"""Versions of Fetch that we speak: from the first with headers (Kafka 0.11) to the last that calls topics by name."""

_NO_SESSION: Final = -1  # the epoch of a fetch that keeps nothing on the broker


class Piece(Struct, frozen=True, kw_only=True):
    """What a leader gave of a partition.

    Attributes:
        records: in their order, without what transactions leave in between.
        size: bytes that came, as they were compressed.
        next: the offset behind the last whole batch; None if there was none.
    """

    records: list[ReadRecord]
    size: Bytes
    next: Offset | None


def fetch(
    client: KafkaPythonClient, node: int, label: str, starts: Mapping[TopicPartition, int], size: int
) -> dict[TopicPartition, Piece | CannotLook]:
    """Ask a leader for records from these offsets on, as they are: of open and aborted transactions too.

    It answers at once, with nothing where there is nothing.

    Args:
        client: who asks.
        node: the leader.
        label: what sentences call it.
        starts: partitions that it leads, with the offsets.
        size: most bytes of one partition; the first that has anything gives a whole batch all the same.

    Raises:
        CannotLook: it does not answer, or is older than Kafka 0.11.
    """
    from kafka.protocol.consumer import FetchRequest

    topic_type = FetchRequest.FetchTopic
    topics: dict[str, list[Any]] = {}
    for (topic, partition), start in starts.items():
        asked = topic_type.FetchPartition(partition=partition, fetch_offset=start, partition_max_bytes=size)
        topics.setdefault(topic, []).append(asked)
    request = FetchRequest(
        replica_id=-1,
        max_wait_ms=0,
        min_bytes=0,
        max_bytes=size * len(starts),
        isolation_level=0,
        session_id=0,
        session_epoch=_NO_SESSION,
        topics=[topic_type(topic=name, partitions=partitions) for name, partitions in topics.items()],
        forgotten_topics_data=[],
        rack_id="",
        min_version=_OLDEST,
        max_version=_NEWEST,
    )
    answers = {
        TopicPartition(topic.topic, partition.partition_index): partition
        for topic in client.ask(node, label, request).responses
        for partition in topic.partitions
    }
    return {
        partition: _piece(partition, answer, starts) for partition, answer in answers.items() if partition in starts
    }


def _piece(topic_partition: TopicPartition, answer: Any, starts: Mapping[TopicPartition, int]) -> Piece | CannotLook:
    name = f"{topic_partition[0]}-{topic_partition[1]}"
    if answer.error_code:
        return from_code(answer.error_code, name, right="Read on the topic")
    data = bytes(answer.records or b"")
    found = attempt(lambda: list(_batches(topic_partition, data, starts[topic_partition])))
    if isinstance(found, Misconfigured):
        return found
    if isinstance(found, CannotLook):  # what libraries say of bytes that are none of theirs may quote them
        return Garbled(f"{name}: what came is no batch of records")
    return Piece(
        records=[record for records, _ in found for record in records],
        size=Bytes(len(data)),
        next=found[-1][1] if found else None,
    )


def _batches(topic_partition: TopicPartition, data: bytes, start: int) -> Iterator[tuple[list[ReadRecord], Offset]]:
    """The records of each whole batch from an offset on, and the offset behind it."""
    from kafka.errors import UnsupportedCodecError
    from kafka.record.memory_records import MemoryRecords

    for batch in MemoryRecords(data):
        try:
            records = [
                ReadRecord(
                    topic=topic_partition.topic,
                    partition=topic_partition.partition,
                    offset=record.offset,
                    timestamp=record.timestamp,
                    key=record.key,
                    value=record.value,
                    headers=tuple(record.headers or ()),
                )
                # not made up: batches of before transactions have no such mark
                for record in (() if getattr(batch, "is_control_batch", False) else batch)
                if record.offset >= start  # a batch comes whole
            ]
        except UnsupportedCodecError as error:
            from runbook.plugins.extras import install

            raise Misconfigured(
                f"{topic_partition[0]}-{topic_partition[1]} holds compressed records, "
                f"and what undoes that is missing ({error}): {install('records')}"
            ) from error
        # Formats before Kafka 0.11 do not tell where a batch ends.
        yield records, Offset(getattr(batch, "next_offset", int(records[-1].offset + 1 if records else start)))
