"""How many replicas must be in sync before Kafka takes a write with acks=all."""

from typing import Final

_CAPPED_SINCE: Final = (3, 7)
"""KAFKA-15583: from this release on the minimum counts as at most the replicas that the partition has."""


def copies_needed(minimum: int | None, replicas: int, release: tuple[int, ...] | None) -> int | None:
    """Work out how many replicas must be in sync; None where that is not known.

    Args:
        minimum: min.insync.replicas in force for the topic.
        replicas: that the partition has; while it is reassigned old and new ones (Partition.effectiveMinIsr).
        release: of the brokers, as in (3, 9).
    """
    if minimum is None or minimum <= replicas:
        return minimum
    if release is None:
        return None
    return replicas if release >= _CAPPED_SINCE else minimum
