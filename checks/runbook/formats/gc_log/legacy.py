"""Lines of JDK 8 (-Xloggc, -XX:+PrintGC and more): Parallel, Serial, CMS, G1 and Shenandoah.

A collection is what stands between `[GC`, `[Full GC` or `[Pause` and the bracket that closes it. Options such as
PrintTenuringDistribution, PrintAdaptiveSizePolicy, PrintReferenceGC and PrintHeapAtGC put lines of their own between,
so that it may reach over dozens; CMS puts a young collection into a remark (CMSScavengeBeforeRemark). A line tells when
the collection began, and its end how long it took; G1 tells the heap some lines further down.

What begins and does not end, what ends and did not begin, and what has a stamp and is not understood is counted.
Checked with logs that a JDK 8 wrote with those options, and against gcTraceTime.cpp and psScavenge.cpp of HotSpot 8u.
"""

import re

from runbook.formats.gc_log.collection import collector_of, cycle_of, later, pause_of, title, words_of
from runbook.formats.gc_log.decoration import NOWHEN, dated
from runbook.formats.gc_log.event import Event, Moment, Pause, Start, Unended, decimal, size
from runbook.formats.gc_log.missed import Missed
from runbook.formats.gc_log.unified import is_stop, stopped
from runbook.model.quantity import Bytes

_SIZE = r"([0-9]{1,15}(?:[.,][0-9]{1,15})?)([BKMGT])"
_STAMP = (
    r"(?:([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.,]{8,16}(?:Z|[+-][0-9]{4})): )?"
    r"(?:([0-9]{1,12}[.,][0-9]{1,9}): )?"
    r"(?:#[0-9]{1,10}: )?"  # -XX:+PrintGCID
)
_STAMPS = re.compile(_STAMP)
_STAMPS_BEFORE = re.compile(_STAMP + "$")
_LONGEST_STAMP = 80
"""Characters: a date, an uptime and a number take 60."""

_HEAD = re.compile(r"\[(?:(?:Full )?GC(?!-Thread| concurrent| Worker| ref-proc)|Pause (?=[A-Z]))")
_BRACKET = re.compile(r"\[0x[^\])]*[\])]|[\[\]]")  # addresses of a space end with a parenthesis: [0x…, 0x…)
_END = re.compile(r", [0-9]+[.,][0-9]+ (?:secs|ms)\]")
_HISTOGRAM = re.compile(r" *[0-9]+: +[0-9]+ +[0-9]+ +\S")  # has names such as [B and [Ljava.lang.Object;
_G1_HEAP = re.compile(
    rf"\[Eden: {_SIZE}\([^)]{{0,20}}\)->{_SIZE}\([^)]{{0,20}}\)"
    rf" Survivors: {_SIZE}->{_SIZE} Heap: {_SIZE}\({_SIZE}\)->{_SIZE}\({_SIZE}\)"
)
_FLAG = re.compile(r"-XX:\+(Use\w+GC)\b")
_COLLECTORS = {
    "UseG1GC": "g1",
    "UseConcMarkSweepGC": "cms",
    "UseParallelGC": "parallel",
    "UseParallelOldGC": "parallel",
    "UseSerialGC": "serial",
    "UseShenandoahGC": "shenandoah",
}
_LONGEST = 1 << 18
"""Characters of one collection that was spread over lines; our judgement, CMS's lists of free space take 100,000."""

_ROUNDED = 0.002
"""Seconds by which stamps of milliseconds may be off against lengths of microseconds."""

_EVENTS = ("[GC", "[Full GC", "[Pause ")
_HEADS = ("OpenJDK ", "Java HotSpot", "Memory: ", "CommandLine flags: ", "Heap", " ", "[Times", "[Eden", "{Heap", "}")
BRACKETS = (
    *_EVENTS,
    *(
        "[Times",
        "[Eden",
        "[PS",
        "[Par",
        "[DefNew",
        "[Tenured",
        "[CMS",
        "[1 CMS",
        "[Metaspace",
        "[Perm",
        "[YG occupancy",
    ),
    *("[Rescan", "[Concurrent ", "[Class Histogram", "[SoftReference", "[Unloading"),
)
"""What lines of JDK 8 begin with where unified logging has decorations."""

_LONG = ("[Class Histogram", "[Concurrent ")
_RUNNING = ("Total time for which", "Application time: ")
# Said with a stamp and no pause: phases that run beside the application, and parts of pauses that stand by themselves.
_HARMLESS = re.compile(
    r"\s+\[|\{Heap|\[GC concurrent|\[(?:AS)?CMS-concurrent|\[Concurrent |\[Preclean |\[Cancel"
    r"|Application time: |Total time for which|\[Class Histogram|\[G1Ergonomics|\[(?:pre|post) compact"
    r"|\[(?:Soft|Weak|Final|Phantom)Reference|\[JNI Weak"
)


_STUMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.,+-]*|[0-9]+[.,][0-9]+: ?#?[0-9]*")  # one that was cut off


class _Begun:
    """A collection whose end was not read yet."""

    def __init__(self, at: Moment, where: int) -> None:
        self.at = at
        self.where = where
        self.depth = self.length = 0
        self.pieces: list[str] = []
        self.within: list[Pause] = []

    def takes_in(self) -> bool:
        """Whether another collection may be a part of this one: a remark's, which may not have said yet what it is."""
        said = "".join(self.pieces[:2])
        return "CMS Final Remark" in said or "[YG occupancy" in said or said.strip() == "[GC"


class Legacy:
    """Reads lines in their order; a pause of G1 is complete when its heap was told, or when the next line begins.

    Attributes:
        boot: when the JVM started, seconds since 1970, if known from elsewhere.
        collector: which one writes like this; empty until a line gave it away.
    """

    def __init__(self, missed: Missed) -> None:
        self.boot: float | None = None
        self.collector = ""
        self._missed = missed
        self._waiting: Pause | None = None
        self._begun: list[_Begun] = []
        self._started: tuple[str, Moment] | None = None  # a pause that Shenandoah said to have begun
        self._long = False  # something that is no pause reaches over lines
        self._amid = False  # what ends may not have begun before the log did

    @property
    def unfinished(self) -> bool:
        """Whether the next line may go on with an event, whatever it looks like."""
        return bool(self._begun)

    def read(self, line: str) -> list[Event]:
        """Read a line; gives the events that it completes, in order."""
        if line.startswith("CommandLine flags: "):
            self._amid = True
            return [*self._give_up(), *self.end(), *self._start(line)]
        if self._waiting is not None and (found := _G1_HEAP.search(line)):
            _tell_heap(self._waiting, found.groups())
            return self.end()
        if _HISTOGRAM.match(line):
            return []
        line = line.rstrip("\r\n")
        heads = [_head(line, found.start()) for found in _HEAD.finditer(line)] if _has_head(line) else []
        edges = [stamps.start() for stamps in heads] + [len(line)]
        events = self._go_on(line[: edges[0]]) if edges[0] else []
        for stamps, end in zip(heads, edges[1:], strict=True):
            events += self._begin(stamps, line[stamps.end() : end])
        return events

    def end(self) -> list[Event]:
        """Give the pause that waited for more, when there is no more."""
        waiting, self._waiting = self._waiting, None
        return [] if waiting is None else [waiting]

    def close(self) -> list[Event]:
        """Give what is left when the log ends; a collection that has not ended by then is told as unfinished."""
        last: list[Event] = [pause for begun in self._begun for pause in begun.within]
        if self._begun:
            last.append(_unended(self._begun[0].at, "".join(self._begun[-1].pieces)))
        elif self._started is not None:
            last.append(_unended(self._started[1], f"[{self._started[0]}"))
        self._begun, self._started = [], None
        return [*self.end(), *last]

    def _start(self, line: str) -> list[Event]:
        """The collector that the command line names; each file of a rotated log begins so, so it is no restart."""
        named = [_COLLECTORS[flag] for flag in _FLAG.findall(line) if flag in _COLLECTORS]
        self.collector = named[-1] if named else self.collector
        return [Start(NOWHEN, self.collector)] if named else []

    def _moment(self, stamps: re.Match[str]) -> Moment:
        wall = dated(stamps[1]) if stamps[1] else None
        uptime = decimal(stamps[2]) if stamps[2] else None
        if wall is None and uptime is not None and self.boot is not None:
            wall = self.boot + uptime
        return Moment(wall, uptime)

    def _begin(self, stamps: re.Match[str], text: str) -> list[Event]:
        """Read from the opening bracket of a collection on."""
        events = self.end()
        if self._begun and not (len(self._begun) == 1 and self._begun[0].takes_in()):
            events += self._give_up()
        self._amid, self._long = True, False
        self._begun.append(_Begun(self._moment(stamps), stamps.start()))
        return events + self._feed(text)

    def _go_on(self, text: str) -> list[Event]:
        """Read what begins no collection."""
        if not self._begun:
            return self._aside(text)
        said = text[_stamps(text).end() :]
        if said.startswith(_RUNNING):  # the threads run again, so it is over
            return self._give_up() + self._aside(text)
        return self._feed(text)

    def _feed(self, text: str) -> list[Event]:
        """Go on with the collection that began last, and with what that was a part of."""
        events: list[Event] = []
        begun, done = self._begun[-1], 0
        for bracket in _BRACKET.finditer(text):
            begun.depth += {"[": 1, "]": -1}.get(bracket[0], 0)
            if begun.depth > 0:
                continue
            begun.pieces.append(text[done : bracket.end()])
            done = bracket.end()
            self._begun.pop()
            events += self._finish(begun)
            if not self._begun:
                return events + self._aside(text[done:])
            begun = self._begun[-1]
        begun.pieces.append(text[done:])
        begun.length += len(text) - done
        return events + self._give_up() if begun.length > _LONGEST else events

    def _finish(self, begun: _Begun) -> list[Event]:
        said = "".join(begun.pieces)
        self.collector = collector_of(said) or self.collector
        if said.startswith("[Pause") and said.endswith(", start]"):
            return self._announce(title(said), begun.at)
        pause = pause_of(said, begun.at)
        if pause is None:
            self._missed.lose(begun.at)
            return [*begun.within]
        if said.startswith("[Pause"):
            self._announced(title(said), pause)
        if begun.within:
            return self._with_parts(pause, begun)
        if self._begun:
            self._begun[-1].within.append(pause)
            return []
        if pause.before is None and said.startswith(("[GC pause", "[Full GC")):
            self._waiting = pause
            return []
        return [pause]

    def _with_parts(self, pause: Pause, begun: _Begun) -> list[Event]:
        """One stop, as the application felt it, unless the parts can't be parts."""
        if sum(part.ms for part in begun.within) <= pause.ms and all(
            _lies_within(part.at, begun.at, pause.at) for part in begun.within
        ):
            pause.evacuation_failed |= any(part.evacuation_failed for part in begun.within)
            return [pause]
        self._missed.lose(begun.at)
        return [*begun.within, pause]

    def _announce(self, name: str, at: Moment) -> list[Event]:
        """Shenandoah with details says that a pause begins, and stamps its end."""
        if self._started is not None:
            self._missed.lose(self._started[1])
        self._started = (name, at)
        return []

    def _announced(self, name: str, pause: Pause) -> None:
        """Move a pause to where it was: its stamp is that of its end if its beginning had a line of its own."""
        started, self._started = self._started, None
        if started is None:
            return
        if started[0] == name:
            pause.at = later(pause.at, -pause.ms / 1000)
        else:
            self._missed.lose(started[1])

    def _give_up(self) -> list[Event]:
        """Leave what has begun; what was within it and complete is told."""
        events: list[Event] = []
        for begun in self._begun:
            self._missed.lose(begun.at)
            events += begun.within
        self._begun = []
        return events

    def _aside(self, text: str) -> list[Event]:
        """Read what stands outside of collections."""
        stamps = _stamps(text)
        said = text[stamps.end() :]
        at = self._moment(stamps)
        if said.startswith("Total time for which") and (stop := is_stop(said)):
            self._amid = True
            return [*self.end(), stopped(at, total=stop[1], reaching=stop[2])]
        if said.startswith(_LONG) and "]" not in said:
            self._long = True
        if _ends_something(said):
            self._long, known = False, self._long
            if self._amid and not known:
                self._missed.lose(at)
        elif (stamps.end() and not _HARMLESS.match(said)) or _STUMP.fullmatch(said):
            self._missed.skip(at)
        cycle = cycle_of(said, at)
        return [] if cycle is None else [cycle]


def _unended(began: Moment, said: str) -> Unended:
    found = words_of(said)
    return Unended(began, began, found.kind, found.cause)


def is_legacy(line: str) -> bool:
    """Say whether a line may be of JDK 8: a stamp, a bracket, the end of a collection or what its log begins with."""
    return line[:1].isdigit() or line[:1] == "#" or line.startswith((*_EVENTS, *_HEADS)) or bool(_END.search(line))


def _has_head(line: str) -> bool:
    return "[GC" in line or "[Full GC" in line or "[Pause " in line


def _head(line: str, bracket: int) -> re.Match[str]:
    """The stamps before a bracket; of no length where there are none."""
    found = _STAMPS_BEFORE.search(line, max(0, bracket - _LONGEST_STAMP), bracket)
    assert found is not None  # each of them may be left out
    return found


def _stamps(text: str) -> re.Match[str]:
    """The last of the stamps at the beginning of a text: two threads may have written theirs one after the other."""
    found = _STAMPS.match(text)
    while found is not None and found[0] and (more := _STAMPS.match(text, found.end())) and more[0]:
        found = more
    assert found is not None  # each of them may be left out
    return found


def _ends_something(said: str) -> bool:
    """Whether a bracket is closed that was not opened here, and a length stands before it."""
    if not _END.search(said):
        return False
    depth = 0
    for bracket in _BRACKET.finditer(said):
        depth += {"[": 1, "]": -1}.get(bracket[0], 0)
        if depth < 0:
            return bool(_END.search(said, max(0, bracket.start() - 40), bracket.end()))
    return False


def _lies_within(at: Moment, began: Moment, ended: Moment) -> bool:
    """Whether a moment lies between two others, as far as all of them are known; to the millisecond of the stamps."""
    for moment, first, last in ((at.wall, began.wall, ended.wall), (at.uptime, began.uptime, ended.uptime)):
        if moment is not None and first is not None and last is not None:
            return first - _ROUNDED <= moment <= last + _ROUNDED
    return True


def _tell_heap(pause: Pause, groups: tuple[str, ...]) -> None:
    sizes = [size(groups[i], groups[i + 1]) for i in range(0, len(groups), 2)]
    eden_before, _, survivors_before, survivors_after, before, _, after, total = sizes
    eden_after = sizes[1]
    pause.before, pause.after, pause.total = before, after, total
    if pause.kind == "young":
        old_before = before - eden_before - survivors_before
        pause.promoted = Bytes(max(0, after - eden_after - survivors_after - old_before))
