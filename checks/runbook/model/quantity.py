"""Numbers and texts that must not be taken for each other: mypy refuses one where another is asked for.

At run time each is the plain value that it is made of. What units and entities they have is said once, here; a row's
fields take both from their types.
"""

from typing import Any, NewType

from msgspec import Struct

BrokerId = NewType("BrokerId", int)
ControllerId = NewType("ControllerId", int)
ProcessId = NewType("ProcessId", int)
"""Of a process on its host."""
MemberId = NewType("MemberId", str)
"""Of a member of a group, which its client gets anew when it joins anew."""
PartitionNumber = NewType("PartitionNumber", int)
"""Of a topic, from 0."""
Offset = NewType("Offset", int)
"""A place in a partition's log."""
Bytes = NewType("Bytes", int)
BytesPerSecond = NewType("BytesPerSecond", float)
Milliseconds = NewType("Milliseconds", int)
MillisecondsExact = NewType("MillisecondsExact", float)
"""With their fractions, as collectors log pauses."""
Seconds = NewType("Seconds", float)
Minutes = NewType("Minutes", float)
Days = NewType("Days", float)
Percent = NewType("Percent", float)
Moment = NewType("Moment", str)
"""RFC 3339 in UTC."""
Timestamp = NewType("Timestamp", int)
"""Milliseconds since 1970, as Kafka has them; -1 for none. Facts have a Moment instead."""


class Meaning(Struct, frozen=True):
    """What a type says of every column that has it.

    Attributes:
        unit: as in Column.
        entity: as in Column.
        moves: as in Column: what has this type is measured, not set.
        renewed: as in Column.
    """

    unit: str | None = None
    entity: str | None = None
    moves: bool = False
    renewed: bool = False


MEANINGS: dict[Any, Meaning] = {
    BrokerId: Meaning(entity="broker"),
    ControllerId: Meaning(entity="controller"),
    ProcessId: Meaning(renewed=True),
    MemberId: Meaning(renewed=True),
    PartitionNumber: Meaning(entity="partition"),
    Offset: Meaning(moves=True),
    Bytes: Meaning(unit="bytes"),
    BytesPerSecond: Meaning(unit="bytes/s", moves=True),
    Milliseconds: Meaning(unit="ms"),
    MillisecondsExact: Meaning(unit="ms", moves=True),
    Seconds: Meaning(unit="s", moves=True),
    Minutes: Meaning(unit="minutes", moves=True),
    Days: Meaning(unit="days", moves=True),
    Percent: Meaning(unit="percent", moves=True),
    Moment: Meaning(),
    Timestamp: Meaning(),
}
