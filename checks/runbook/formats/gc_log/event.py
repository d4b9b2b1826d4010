"""What a GC log tells, whichever collector wrote it."""

from msgspec import Struct

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
_UNITS = {"B": 1, "K": KIB, "M": MIB, "G": GIB, "T": GIB << 10}


class Moment(Struct, frozen=True):
    """When a line was written, as far as its decorations say.

    Attributes:
        wall: seconds since 1970, UTC.
        uptime: seconds since the JVM started.
    """

    wall: float | None = None
    uptime: float | None = None


class Pause(Struct):
    """All application threads stood still for the collector.

    Attributes:
        at: when it ended.
        ms: how long it lasted.
        kind: young, mixed, full, degenerated gc, remark, mark start …: in the log's own words, lower case.
        cause: in the log's own words, such as G1 Evacuation Pause; empty if not said.
        before: heap used before, bytes.
        after: heap used after, bytes.
        total: heap that was there to be used, bytes.
        evacuation_failed: there was no room to copy what was alive.
        promoted: bytes by which the old generation grew.
        number: the collection's number in this JVM; -1 if not said.
    """

    at: Moment
    ms: float
    kind: str
    cause: str = ""
    before: int | None = None
    after: int | None = None
    total: int | None = None
    evacuation_failed: bool = False
    promoted: int | None = None
    number: int = -1


class Safepoint(Struct, frozen=True):
    """All application threads stood still, for the collector or for another reason of the JVM's.

    Attributes:
        at: when it ended.
        reaching_ms: from the request until the last thread had stopped.
        total_ms: from the request until threads ran again.
    """

    at: Moment
    reaching_ms: float
    total_ms: float


class Stall(Struct, frozen=True):
    """One thread waited for memory while a concurrent collector worked; the others ran."""

    at: Moment
    ms: float


class Cycle(Struct, frozen=True):
    """A concurrent collection ended; heap used before and after, bytes, and how much there was, if said."""

    at: Moment
    before: int
    after: int
    total: int | None = None
    promoted: int | None = None


class Start(Struct, frozen=True):
    """A JVM began to write, with this collector."""

    at: Moment
    collector: str


Event = Pause | Safepoint | Stall | Cycle | Start


def size(number: str, unit: str) -> int:
    """Turn a size as logs write it, such as 24.5 and M, into bytes."""
    return int(float(number.replace(",", ".")) * _UNITS[unit])


def decimal(number: str) -> float:
    """Read a number written with a point or, in some locales, a comma."""
    return float(number.replace(",", "."))
