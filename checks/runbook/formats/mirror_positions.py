"""What MirrorMaker 2 writes into its internal topics: which offset of a source is which offset of its copy.

The layout is that of `Checkpoint` and `OffsetSync` in Kafka's connect-mirror: numbers are big-endian, a text is its
length in two bytes and then UTF-8.
"""

import struct

from msgspec import Struct

from runbook.model.errors import Garbled
from runbook.model.quantity import Offset, PartitionNumber

_VERSION = 0  # of a checkpoint's value; there has been no other


class Position(Struct, frozen=True, kw_only=True):
    """A place of a source's partition, and the same place in the copy.

    Attributes:
        group: the consumer group whose commit it is; "" for a place that is nobody's.
    """

    group: str
    topic: str
    partition: PartitionNumber
    upstream: Offset
    downstream: Offset


def checkpoint(key: bytes, value: bytes) -> Position:
    """Read a record of a checkpoints topic: a group's commit, translated.

    Raises:
        Garbled: it is no such record.
    """
    try:
        group, at = _text(key, 0)
        topic, at = _text(key, at)
        (partition,) = struct.unpack_from(">i", key, at)
        version, upstream, downstream = struct.unpack_from(">hqq", value)
    except (struct.error, UnicodeDecodeError) as error:
        raise Garbled("it holds a record that is no checkpoint of MirrorMaker") from error
    if version != _VERSION:
        raise Garbled(f"it holds a checkpoint of version {version}, which is not known here")
    return Position(group=group, topic=topic, partition=partition, upstream=upstream, downstream=downstream)


def offset_sync(key: bytes, value: bytes) -> Position:
    """Read a record of an offset-syncs topic.

    Raises:
        Garbled: it is no such record.
    """
    try:
        topic, at = _text(key, 0)
        (partition,) = struct.unpack_from(">i", key, at)
        upstream, downstream = struct.unpack(">qq", value)
    except (struct.error, UnicodeDecodeError) as error:
        raise Garbled("it holds a record that is no offset sync of MirrorMaker") from error
    return Position(group="", topic=topic, partition=partition, upstream=upstream, downstream=downstream)


def _text(data: bytes, at: int) -> tuple[str, int]:
    """A text, and where it ends; one that is cut short is found when the number behind it is read."""
    (length,) = struct.unpack_from(">h", data, at)
    end = at + 2 + max(0, length)
    return data[at + 2 : end].decode(), end
