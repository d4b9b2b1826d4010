"""What groups did between two looks: commits and ends, twice; and when what they have not read was written."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from runbook.answers.kafka import AnyGroup, TopicPartition
from runbook.answers.kafka.offsets import OffsetAndTimestamp
from runbook.model.fact import Gap
from runbook.model.quantity import Offset, Timestamp


class Written(Struct, frozen=True, kw_only=True):
    """When a record was written, by its own timestamp: no later than `latest`, no earlier than `earliest`.

    The latter is None where so many records in a row are no younger than one before them that times run backwards.
    """

    earliest: Timestamp | None
    latest: Timestamp


PartitionOffsets = Mapping[TopicPartition, OffsetAndTimestamp]
Commits = Mapping[TopicPartition, Offset]


class GroupObservation(Struct, frozen=True):
    """Commits by group, and where partitions end, as nearly at one time as two requests are.

    Attributes:
        lags: share group → each of its partitions → records that it has not dealt with, as its coordinator tells it;
            None where it does not.
    """

    at: float
    commits: Mapping[str, Commits]
    ends: PartitionOffsets
    lags: Mapping[str, Mapping[TopicPartition, int | None]] = {}


class GroupObservations(Struct, frozen=True, kw_only=True):
    """Two looks, what does not change between them, and what was found out about times.

    Attributes:
        written: partition and offset → when the record there was written.
        untimed: partition → why that is not known.
        dated: partition → whether what is written there now is dated in the past, or ahead of our clock.
        rounds: requests by time that each leader was sent at most.
        writes: group → when something was last written where its commits are kept.
    """

    groups: list[AnyGroup]
    before: GroupObservation
    after: GroupObservation
    begins: PartitionOffsets
    stable: PartitionOffsets
    written: Mapping[tuple[TopicPartition, Offset], Written]
    untimed: Mapping[TopicPartition, str]
    rounds: int
    writes: Mapping[str, Timestamp]
    gaps: list[Gap]
    dated: Mapping[TopicPartition, Literal["past", "ahead"]] = {}


def next_read(committed: Offset, begin: OffsetAndTimestamp | None) -> Offset:
    """The offset that a group goes on from: the first that there is, where what it was to read next was deleted."""
    return committed if begin is None else Offset(max(committed, begin.offset))
