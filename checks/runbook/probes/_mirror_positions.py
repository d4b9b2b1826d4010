"""What the probes of MirrorMaker's internal topics have in common: both read compacted logs of positions."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from runbook.answers.kafka import ReadLimits, ReadRecord
from runbook.formats.mirror_positions import Position
from runbook.model.errors import Garbled
from runbook.model.fact import Gap, distinct
from runbook.model.parameter import Parameter

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka

REQUESTS: Final = ("ApiVersions", "DescribeAcls", "DescribeCluster", "Fetch", "ListOffsets", "Metadata")
MOST: Final = 1 << 22
"""Bytes that are read in all, unless said otherwise. Our judgement: tens of thousands of positions."""
_PARTITIONS: Final = 1000
"""Partitions read at most. Both topics are made with one; many sources at one target have one each."""

Positions = list[tuple[ReadRecord, Position]]


def parameters(pattern: str) -> dict[str, Parameter]:
    """Which internal topics are read, and how much of them."""
    return {
        "topics": Parameter(type="list[string]", default=[pattern], help="shell patterns of the internal topics"),
        "bytes": Parameter(
            type="int", default=MOST, min=1 << 10, max=1 << 26, help="bytes in all; a log that is longer is a gap"
        ),
    }


def positions(
    kafka: "Kafka", patterns: list[str], read: Callable[[bytes, bytes], Position], size: int
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
