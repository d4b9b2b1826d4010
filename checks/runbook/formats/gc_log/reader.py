"""Lines of a GC log into events: streaming, so that memory does not grow with the log."""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from runbook.formats.gc_log.decoration import NOWHEN, moment, unwrap
from runbook.formats.gc_log.event import Cycle, Event, Moment, Pause, Safepoint, Start, Unended
from runbook.formats.gc_log.legacy import BRACKETS, Legacy, is_legacy
from runbook.formats.gc_log.missed import Missed, Numbering
from runbook.formats.gc_log.unified import RELEVANT, Unified

_OPENING = 200
"""A JVM says within so many lines which collector it uses; our judgement, the recorded ones take up to 25."""


class LogPart(Struct):
    """One file of a log: its lines, and when its JVM started (seconds since 1970), if that is known from elsewhere."""

    lines: Iterable[str]
    boot: float | None = None


class Reader:
    """Reads one log, or the files it was rotated into, in order; each line by its own format, as versions may mix.

    Attributes:
        lines: how many were read.
        foreign: how many of them are in no GC log's format: cut off, or garbage.
        first: when the first line that says so was written.
        last: when the last one was.
        gc_lines: how many of them tell something about collections; others may be any program's.
        began: whether the log begins with the start of its JVM, so that nothing of it is missing before.
        pauses: how many there were.
        tells_safepoints: whether the log tells stops for any reason, with the way to them.
        cycles: how many concurrent collections; a ZGC whose phases are not logged tells these and no pause.
        missed: what of its pauses could not be read.
    """

    def __init__(self, since: float | None = None, runs_at: float | None = None) -> None:
        """Begin.

        Args:
            since: seconds since 1970; what is missing from before then is no gap. None if all of the log counts.
            runs_at: seconds since 1970 at which the JVM was seen to run, after it wrote the last line; None if unknown.
        """
        self.lines = self.foreign = self.gc_lines = self.pauses = self.cycles = 0
        self.first = self.last = NOWHEN
        self.began = self.tells_safepoints = False
        self.missed = Missed(since)
        self._unified, self._legacy = Unified(self.missed), Legacy(self.missed)
        self._begun, self._numbering = self._unified.begun, Numbering()
        self._runs_at = runs_at
        self._held: Pause | None = None

    @property
    def collector(self) -> str:
        """The collector that wrote, as far as the lines gave it away: g1, zgc, shenandoah, parallel, serial, cms."""
        return self._unified.collector or self._legacy.collector

    @property
    def tells_beginnings(self) -> bool:
        """Whether a pause that has not ended leaves a line: of JDK 8 always, else with the tag gc,start."""
        return self._begun.told or (self._legacy.collector != "" and not self._unified.collector)

    def events(self, parts: Iterable[LogPart]) -> Iterator[Event]:
        """Give the events of a log's files. Lines that can't be read are counted and left out."""
        for event in self._events(parts):
            self.missed.saw(event)
            yield event

    def _events(self, parts: Iterable[LogPart]) -> Iterator[Event]:
        for part in parts:
            self._unified.boot = self._legacy.boot = self._begun.boot = part.boot
            for found in self._read(part.lines):
                yield from self._ordered(found)
        last = self._begun.close(killed=False)
        for found in [*self._legacy.close(), *([] if last is None else [last])]:
            yield from self._ordered(self._standing(found) if isinstance(found, Unended) else found)
        yield from self._release()
        self.missed.numbers = self._numbering.missing

    def _standing(self, last: Unended) -> Unended:
        """What has begun when the log ends lasts for as long as its JVM is known to run."""
        if self._runs_at is None or last.began.wall is None or self._runs_at < last.began.wall:
            return last
        return replace(last, at=Moment(self._runs_at), began=Moment(last.began.wall), stands=True)

    def _number(self, number: str | None, line: str) -> None:
        """Take the number of a collection, if a line has one."""
        if number and self._numbering.saw(int(number)) and not self.missed.skips(self._moment(line)):
            self._numbering.forget()

    def _turn(self, event: Event) -> Iterator[Event]:
        """What an event says of the pauses that have begun before it."""
        if isinstance(event, Start):
            self._numbering.restart()
            if killed := self._begun.close(killed=True):
                yield killed
        elif isinstance(event, Safepoint) and self._begun.any:
            self._begun.ran()

    def _read(self, lines: Iterable[str]) -> Iterator[Event]:
        relevant, read, begun, last = RELEVANT.search, self._unified.read, self._begun, ""
        for line in lines:
            self.lines += 1
            if line[1:2] not in _DATE or line[:1] != "[":
                line = unwrap(line)  # noqa: PLW2901 - the line that the JVM wrote
            if line[:1] == "[" and (line[1:2] in _DATE or not line.startswith(BRACKETS)):
                if found := relevant(line):
                    self._number(found[1], line)
                    event = read(line[1 : found.start()], found[1], line[found.end() :])
                    if event is not None:
                        yield event
                elif self._legacy.unfinished or "] " not in line:
                    yield from self._plain(line)
                    continue
                if begun.any:
                    begun.lines.append(line)
                if not last and self.first is NOWHEN:
                    self._saw(self._moment(line))
                last = line
            else:
                yield from self._plain(line)
        if last:
            self._saw(self._moment(last))

    def _plain(self, line: str) -> Iterator[Event]:
        """Read a line without decorations: of JDK 8, or of unified logging that was told to leave them out."""
        if line.startswith(_BARE):
            line = f"] {line}"
            if found := RELEVANT.match(line):
                self._number(found[1], line)
                event = self._unified.read("", found[1], line[found.end() :])
                yield from () if event is None else (event,)
        elif self._legacy.unfinished or is_legacy(line):
            yield from self._legacy.read(line)
        elif line.strip():
            self.foreign += 1

    def _moment(self, line: str) -> Moment:
        return moment(line[1 : line.find("] ")], self._unified.boot)

    def _ordered(self, event: Event) -> Iterator[Event]:
        """Hold each pause until the next event: it may turn out to be a part of that one."""
        if not isinstance(event, Unended):  # which may stand until now, long after the last line
            self._saw(event.at)
        self.gc_lines += 1
        self.cycles += isinstance(event, Cycle)
        self.tells_safepoints |= isinstance(event, Safepoint)
        if isinstance(event, Start) and event.at is not NOWHEN and self.lines <= _OPENING:
            self.began = True
        if not isinstance(event, Pause):
            yield from self._release()
            if event.__class__ in _TURNS:
                yield from self._turn(event)
            yield event
        elif self._held is not None and _holds(event, self._held):
            self._held = _joined(event, self._held)
        else:
            yield from self._release()
            self._held = event

    def _release(self) -> Iterator[Event]:
        held, self._held = self._held, None
        if held is not None:
            self.pauses += 1
            yield held

    def _saw(self, at: Moment) -> None:
        if at.wall is None and at.uptime is None:
            return
        if self.first is NOWHEN:
            self.first = at
        self.last = at


_DATE = "023456789"  # decorations most often begin with a year; asking for it first is what makes that fast
_TURNS = (Start, Safepoint)
_BARE = ("GC(", "Using ")  # of unified logging without decorations


def _holds(outer: Pause, inner: Pause) -> bool:
    """Whether a full collection happened within a young one that gave up, as Serial logs it: inner line first."""
    return outer.kind == "young" and inner.kind == "full" and 0 <= outer.number < inner.number and outer.ms >= inner.ms


def _joined(outer: Pause, inner: Pause) -> Pause:
    """One stop, as the application felt it."""
    outer.kind, outer.cause, outer.promoted = inner.kind, inner.cause, None
    return outer
