"""A GC log in numbers. Percentiles are by nearest rank: of n pauses by length, the one at place ceil(p/100 × n).

Held in memory are sums, and 8 bytes for each pause and each collection's heap (32 more of one kind while in order).
"""

import math
from array import array
from collections.abc import Iterable

from msgspec import Struct

from runbook.formats.gc_log.event import Cycle, Event, Moment, Pause, Safepoint, Stall, Start, Unended
from runbook.formats.gc_log.reader import LogPart, Reader
from runbook.formats.gc_log.stops import ASKED_FOR, Stop, Timeline
from runbook.model.quantity import Bytes, BytesPerSecond, MillisecondsExact, Percent, Seconds

FOR_CLASSES = "Metadata GC Threshold"
"""Cause of full collections that make room for classes, as JVMs with Serial and Parallel have while they start."""

NO_ROOM_FOR_CLASSES = "Metadata GC Clear Soft References"
"""Cause of the last collection before an OutOfMemoryError: metaspace may not grow."""

_COLLECTS_CLASSES_BESIDE = frozenset({"g1", "cms"})
"""Collectors that begin a concurrent collection at the threshold, let metaspace grow, and collect all of the heap only
where it may not (satisfy_failed_metadata_allocation and VM_CollectForMetadataAllocation of HotSpot)."""

_POINTS = 10
"""A trend wants so many collections; our judgement."""


class GcSummary(Struct):
    """What a log says of a JVM. None where the log does not tell.

    Attributes:
        collector: g1, zgc, shenandoah, parallel, serial, cms; empty if the lines do not give it away.
        begins: when the first line that counts was written, seconds since 1970.
        ends: when the last line was.
        seconds: time between the first line that counts and the last.
        pauses: how many there were, counting full ones.
        p50_ms: of all pauses, by nearest rank; likewise p99_ms.
        longest: the longest stop, whatever stopped the threads.
        stopped_ms: sum of all stops.
        full: full collections, with one that had not ended.
        asked_for: those of them that somebody asked for.
        forced: those of them that happened because the heap had no room.
        no_metaspace: those of them that happened because metaspace had no room and may not grow; None if one may be.
        degenerated: concurrent collections that a Shenandoah finished with the threads stopped.
        evacuation_failures: pauses in which there was no room to copy to.
        stalls: waits of single threads for memory, with ZGC.
        safepoints: stops that were logged with the way to them.
        longest_to_safepoint_ms: the longest wait until all threads had stopped.
        heap_after: heap used after the last collection, bytes.
        heap_total: heap there was to be used then, bytes.
        heap_after_percent: median over the collections of what was left used.
        heap_trend: bytes an hour by which what is left used grows: the line of least squares.
        allocated: bytes a second; too low where a concurrent collector frees and the application fills at once.
        promoted: bytes a second by which collections of the young generation made the old one grow.
        lines: lines read.
        foreign: those in no GC log's format.
    """

    collector: str = ""
    begins: float | None = None
    ends: float | None = None
    seconds: Seconds | None = None
    pauses: int = 0
    longest: Stop | None = None
    p50_ms: MillisecondsExact | None = None
    p99_ms: MillisecondsExact | None = None
    stopped_ms: MillisecondsExact = MillisecondsExact(0.0)
    full: int = 0
    asked_for: int = 0
    forced: int = 0
    no_metaspace: int | None = 0
    degenerated: int = 0
    evacuation_failures: int = 0
    stalls: int = 0
    longest_stall_ms: MillisecondsExact | None = None
    safepoints: int = 0
    longest_to_safepoint_ms: MillisecondsExact | None = None
    heap_after: Bytes | None = None
    heap_total: Bytes | None = None
    heap_after_percent: Percent | None = None
    heap_trend: float | None = None
    allocated: BytesPerSecond | None = None
    promoted: BytesPerSecond | None = None
    lines: int = 0
    foreign: int = 0


def summarize(reader: Reader, parts: Iterable[LogPart], since: float | None = None) -> GcSummary:
    """Read a log, its files in order, and sum it up.

    Args:
        reader: a new one.
        parts: its files.
        since: seconds since 1970; what ended before does not count. Lines that do not say when they were written do.
    """
    tally = _Tally(since)
    for event, stops in Timeline(reader.missed).of(reader.events(parts)):
        tally.add(event, reader.collector)
        for stop in stops:
            tally.stop(stop)
    summary = tally.summary()
    summary.collector = reader.collector
    summary.lines, summary.foreign = reader.lines, reader.foreign
    summary.begins, summary.ends = _later(reader.first.wall, since), reader.last.wall
    summary.seconds = _between(reader.first, reader.last, since)
    return _with_rates(summary, tally)


class _Tally:
    def __init__(self, since: float | None) -> None:
        self._since = since
        self._lengths = array("d")
        self._left = array("d")  # percent of the heap that was left used
        self._sum = GcSummary()
        self._line = _Line()
        self.allocated = self.promoted = 0
        self.tells_promotion = False
        self._heap: int | None = None

    def add(self, event: Event | None, collector: str) -> None:
        if event is None or self._before(event.at):
            return
        match event:
            case Pause():
                self._pause(event, collector)
            case Unended(kind="full"):
                self._full(event.cause, collector)
            case Cycle(before=before, after=after, total=total):
                self._heap_was(event.at, before, after, total)
                self._grew(event.promoted)
            case Safepoint():
                self._sum.safepoints += 1
                self._sum.longest_to_safepoint_ms = _most(self._sum.longest_to_safepoint_ms, event.reaching_ms)
            case Stall():
                self._sum.stalls += 1
                self._sum.longest_stall_ms = _most(self._sum.longest_stall_ms, event.ms)
            case Start():
                self._heap = None  # another JVM

    def stop(self, stop: Stop) -> None:
        if self._before(stop.at):
            return
        total = self._sum
        total.stopped_ms = MillisecondsExact(total.stopped_ms + stop.ms)
        if total.longest is None or stop.ms > total.longest.ms:
            total.longest = stop

    def _before(self, at: Moment) -> bool:
        return self._since is not None and at.wall is not None and at.wall < self._since

    def _full(self, cause: str, collector: str) -> None:
        total = self._sum
        total.full += 1
        if cause == NO_ROOM_FOR_CLASSES or (cause == FOR_CLASSES and collector in _COLLECTS_CLASSES_BESIDE):
            total.no_metaspace = None if total.no_metaspace is None else total.no_metaspace + 1
        elif cause == FOR_CLASSES:
            total.no_metaspace = total.no_metaspace if collector else None
        elif cause in ASKED_FOR:
            total.asked_for += 1
        else:
            total.forced += 1

    def _pause(self, pause: Pause, collector: str) -> None:
        self._lengths.append(pause.ms)
        total = self._sum
        if pause.kind == "full":
            self._full(pause.cause, collector)
        total.degenerated += pause.kind.startswith("degenerated")
        total.evacuation_failures += pause.evacuation_failed
        if pause.before is not None and pause.after is not None:
            self._heap_was(pause.at, pause.before, pause.after, pause.total)
        if pause.kind in {"young", "mixed"}:
            self._grew(pause.promoted)

    def _grew(self, promoted: int | None) -> None:
        if promoted is not None:
            self.tells_promotion = True
            self.promoted += promoted

    def _heap_was(self, at: Moment, before: Bytes, after: Bytes, total: Bytes | None) -> None:
        if self._heap is not None:
            self.allocated += max(0, before - self._heap)
        self._heap = self._sum.heap_after = after
        self._sum.heap_total = total
        if total:
            self._left.append(100 * after / total)
        time = at.wall if at.wall is not None else at.uptime
        if time is not None:
            self._line.add(time, after)

    def summary(self) -> GcSummary:
        total = self._sum
        total.pauses = len(self._lengths)
        if self._lengths:
            total.p50_ms, total.p99_ms = map(MillisecondsExact, _ranks(self._lengths, 50, 99))
        if self._left:
            [left] = _ranks(self._left, 50)
            total.heap_after_percent = Percent(left)
        total.heap_trend = self._line.slope_an_hour()
        return total


class _Line:
    """The line of least squares through points that come one by one."""

    def __init__(self) -> None:
        self._count = 0
        self._origin = self._x = self._y = self._xx = self._xy = 0.0

    def add(self, x: float, y: float) -> None:
        if not self._count:
            self._origin = x
        x -= self._origin  # sums of squares of seconds since 1970 would leave no digits for the result
        self._count += 1
        self._x += x
        self._y += y
        self._xx += x * x
        self._xy += x * y

    def slope_an_hour(self) -> float | None:
        spread = self._count * self._xx - self._x * self._x
        if self._count < _POINTS or spread <= 0:
            return None
        return 3600 * (self._count * self._xy - self._x * self._y) / spread


def _ranks(numbers: "array[float]", *percents: float) -> list[float]:
    ordered = sorted(numbers)
    return [nearest_rank(ordered, percent) for percent in percents]


def nearest_rank(ordered: "list[float]", percent: float) -> float:
    """Give the percentile of numbers in order: the one at place ceil(percent/100 × count)."""
    return ordered[max(0, math.ceil(percent / 100 * len(ordered)) - 1)]


def _with_rates(summary: GcSummary, tally: _Tally) -> GcSummary:
    if summary.seconds:
        summary.allocated = (
            BytesPerSecond(tally.allocated / summary.seconds) if summary.heap_after is not None else None
        )
        summary.promoted = BytesPerSecond(tally.promoted / summary.seconds) if tally.tells_promotion else None
    return summary


def _most(known: MillisecondsExact | None, seen: MillisecondsExact) -> MillisecondsExact:
    return seen if known is None else max(known, seen)


def _later(moment: float | None, since: float | None) -> float | None:
    return moment if moment is None or since is None else max(moment, since)


def _between(first: Moment, last: Moment, since: float | None) -> Seconds | None:
    """Seconds from one line to another, by the clock on the wall or, failing that, by the JVM's uptime."""
    if first.wall is not None and last.wall is not None:
        return Seconds(max(0.0, last.wall - (first.wall if since is None else max(first.wall, since))))
    if first.uptime is not None and last.uptime is not None and last.uptime >= first.uptime:
        return Seconds(last.uptime - first.uptime)
    return None
