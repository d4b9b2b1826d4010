"""What a GC log tells, whichever collector wrote it."""

from typing import NamedTuple

from msgspec import Struct

from runbook.model.quantity import Bytes, MillisecondsExact

_SECOND = 1000.0
"""Milliseconds."""

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
    ms: MillisecondsExact
    kind: str
    cause: str = ""
    before: Bytes | None = None
    after: Bytes | None = None
    total: Bytes | None = None
    evacuation_failed: bool = False
    promoted: Bytes | None = None
    number: int = -1


class Unended(Struct, frozen=True):
    """A pause that began and whose end the log of its JVM does not have.

    Attributes:
        at: the last moment at which it is known not to have ended.
        began: when it began.
        kind: as in Pause.
        cause: as in Pause.
        killed: whether another JVM goes on in the log, so that this one is gone.
        stands: whether its JVM runs, and no line says that the pause ended.
    """

    at: Moment
    began: Moment
    kind: str
    cause: str
    killed: bool = False
    stands: bool = False

    @property
    def ms(self) -> MillisecondsExact:
        """How long it lasted at least; 0 where no line tells."""
        seconds = elapsed(self.began, self.at)
        return MillisecondsExact(0.0 if seconds is None else _SECOND * seconds)

    @property
    def what(self) -> str:
        """What is known of it, for a sentence: `Full GC (System.gc()) that had not ended after 20.1 s`."""
        when = f"after {length(self.ms)}" if self.ms >= 1 else "when its log ends"
        return f"{named(self.kind, self.cause)} that had not ended {when}"


class Safepoint(Struct, frozen=True):
    """All application threads stood still, for the collector or for another reason of the JVM's.

    Attributes:
        at: when it ended.
        reaching_ms: from the request until the last thread had stopped.
        total_ms: from the request until threads ran again.
        operation: what the JVM stopped them for, in its own words; empty if not said (up to JDK 12).
    """

    at: Moment
    reaching_ms: MillisecondsExact
    total_ms: MillisecondsExact
    operation: str = ""


class Stall(Struct, frozen=True):
    """One thread waited for memory while a concurrent collector worked; the others ran."""

    at: Moment
    ms: MillisecondsExact


class Cycle(Struct, frozen=True):
    """A concurrent collection ended; heap used before and after, bytes, and how much there was, if said."""

    at: Moment
    before: Bytes
    after: Bytes
    total: Bytes | None = None
    promoted: Bytes | None = None


class Start(Struct, frozen=True):
    """A JVM began to write, with this collector."""

    at: Moment
    collector: str


Event = Pause | Unended | Safepoint | Stall | Cycle | Start


def named(kind: str, cause: str) -> str:
    """A pause by its kind and cause: `Full GC (System.gc())`, `young pause (G1 Evacuation Pause)`."""
    return f"{'Full GC' if kind == 'full' else f'{kind} pause'}{f' ({cause})' if cause else ''}"


def length(ms: float) -> str:
    """A length for a sentence: `24.9 s`, `12 ms`."""
    return f"{ms / _SECOND:.1f} s" if ms >= _SECOND else f"{ms:.0f} ms"


def elapsed(first: Moment, last: Moment) -> float | None:
    """Seconds from one moment to another, by the wall clock or, failing that, by the JVM's uptime; None if not said."""
    for begins, ends in ((first.wall, last.wall), (first.uptime, last.uptime)):
        if begins is not None and ends is not None:
            return max(0.0, ends - begins)
    return None


class Heap(NamedTuple):
    """Heap used before and after, and how much there was."""

    before: Bytes
    after: Bytes
    total: Bytes


def heap(before: str, before_unit: str, after: str, after_unit: str, total: str, total_unit: str) -> Heap:
    """Turn three sizes as logs write them, such as 24.5 and M, into bytes."""
    return Heap(before=size(before, before_unit), after=size(after, after_unit), total=size(total, total_unit))


def size(number: str, unit: str) -> Bytes:
    """Turn a size as logs write it, such as 24.5 and M, into bytes."""
    return Bytes(int(float(number.replace(",", ".")) * _UNITS[unit]))


def decimal(number: str) -> float:
    """Read a number written with a point or, in some locales, a comma."""
    return float(number.replace(",", "."))
