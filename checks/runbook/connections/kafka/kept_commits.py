"""Where groups' commits are kept, and when something was last written there: since then nobody of them has committed.

OffsetFetch tells no times. But commits are records of __consumer_offsets, which coordinators stamp, and ListOffsets
tells a partition's youngest. Heartbeats write nothing; joining, leaving and expiring do.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from runbook.answers.kafka import TopicPartition
from runbook.answers.kafka.offsets import NEWEST
from runbook.connections.kafka.newest import Ask, newest_at_last
from runbook.model.probe import Deadline
from runbook.model.quantity import PartitionNumber, Timestamp

OFFSETS: Final = "__consumer_offsets"
_INTEGERS: Final = 2**32


def last_writes(
    ask: Ask, kept: AbstractSet[TopicPartition], groups: Sequence[str], clock: Deadline
) -> dict[str, Timestamp]:
    """When something was last written where a group's commits are kept; of whom that is not told, nothing.

    Args:
        ask: asks for places in partitions.
        kept: partitions of the offsets topic; none where it can't be seen.
        groups: of whom it is asked.
        clock: the time for it.
    """
    partitions = {group: TopicPartition(OFFSETS, offsets_partition(group, len(kept))) for group in groups if kept}
    there = {*partitions.values()} & kept
    last, _ = newest_at_last(ask(dict.fromkeys(sorted(there), NEWEST)), lambda: there, ask, clock)
    return {
        group: last[partition].timestamp
        for group, partition in partitions.items()
        if partition in last and last[partition].timestamp >= 0
    }


def offsets_partition(group: str, count: int) -> PartitionNumber:
    """The partition of the offsets topic that keeps a group, as coordinators choose it: by Java's hash of its name."""
    units, hashed = group.encode("utf-16-be", "surrogatepass"), 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        hashed = (31 * hashed + (high << 8 | low)) % _INTEGERS
    positive = min(hashed, _INTEGERS - hashed)
    return PartitionNumber(0 if positive == _INTEGERS // 2 else positive % count)
