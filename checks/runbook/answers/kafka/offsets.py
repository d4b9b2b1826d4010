"""Places in partitions: which may be asked for (ListOffsets), and what is told of one."""

from typing import Final

from msgspec import Struct

from runbook.model.quantity import Offset, Timestamp

LATEST: Final = -1
EARLIEST: Final = -2
NEWEST: Final = -3
"""What ListOffsets takes for a time: end, beginning, and the record with the latest timestamp (Kafka 3.0, KIP-734)."""
OLDEST: Final = 0
"""The first record with a timestamp from 1970 on: of that the answer tells the time, of EARLIEST it does not."""
READ_COMMITTED: Final = 1
READ_UNCOMMITTED: Final = 0
"""What ListOffsets takes for an isolation level: with the first one LATEST is the last stable offset."""


class OffsetAndTimestamp(Struct, frozen=True, gc=False, kw_only=True):
    """A place in a partition and the timestamp of the record there; -1 for none."""

    offset: Offset
    timestamp: Timestamp
