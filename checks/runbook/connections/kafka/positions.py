"""The newest position under each key of MirrorMaker's internal topics, which are compacted logs."""

from collections.abc import Callable
from fnmatch import fnmatchcase

from runbook.connections.kafka.reader import Kafka
from runbook.connections.kafka.record_requests import ReadRecord
from runbook.connections.kafka.records import ReadLimits
from runbook.formats.mirror_positions import Position
from runbook.model.errors import Garbled
from runbook.model.fact import Gap, distinct

Positions = list[tuple[ReadRecord, Position]]

_PARTITIONS = 1000
"""Partitions read at most. Both topics are made with one; many sources at one target have one each."""


def positions(
    kafka: Kafka, patterns: list[str], read: Callable[[bytes, bytes], Position], size: int
) -> tuple[Positions, list[Gap]]:
    """Return what is in force, each with the record that says so, and what was not read.

    Args:
        kafka: the cluster.
        patterns: of the internal topics.
        read: what reads a record of theirs.
        size: bytes in all.
    """
    names = [name for name in kafka.topics() if any(fnmatchcase(name, pattern) for pattern in patterns)]
    records, gaps = kafka.records(names, ReadLimits(1, _PARTITIONS, size, whole=True))
    latest = {(record.topic, record.key): record for record in records if record.key is not None}
    found: Positions = []
    for (topic, key), record in latest.items():
        if key is None or record.value is None:
            continue  # taken back
        try:
            found.append((record, read(key, record.value)))
        except Garbled as error:
            gaps = [*gaps, Gap.of(error, {"topic": topic}, f"{topic}: {error}")]
    found.sort(key=lambda one: (one[0].topic, one[1].group, one[1].topic, one[1].partition))
    return found, distinct([*kafka.topics_gaps(), *gaps])
