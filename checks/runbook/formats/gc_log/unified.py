"""Messages of unified logging, JDK 9 and later: G1, ZGC, Shenandoah, Parallel, Serial and CMS."""

import re

from runbook.formats.gc_log.decoration import moment
from runbook.formats.gc_log.event import Cycle, Event, Moment, Pause, Safepoint, Stall, Start, decimal, heap, size
from runbook.formats.gc_log.missed import Missed
from runbook.formats.gc_log.open_pauses import OpenPauses
from runbook.formats.gc_log.pause_meaning import meaning
from runbook.model.quantity import Bytes, MillisecondsExact

_SIZE = r"([0-9]{1,15}(?:[.,][0-9]{1,15})?)([BKMGT])"
RELEVANT = re.compile(
    r"\] (?:GC\(([0-9]{1,18})\) (?:[yYoO]: )?)?"  # Y: and O: of a generational ZGC
    r"(?=Pause |(?:Eden|Survivor|Old|Humongous|Archive) regions: |ParOldGen: |Tenured: |CMS: |To-space "
    r"|Concurrent |Garbage Collection \(|Major Collection \(|Minor Collection \(| Promoted: "
    r"|Safepoint |Total time for |Allocation Stall |Relocation Stall |Using |Heap [Rr]egion [Ss]ize: "
    r"| {0,6}[0-9]{1,10} messages dropped )"
)
"""Finds, after the decorations, the beginning of a message that may count; most lines have none."""

_MS = re.compile(r"([0-9]{1,15}[.,][0-9]{1,15})ms")
_TRANSITION = re.compile(rf"{_SIZE}->{_SIZE}\({_SIZE}\)")
_CYCLE = re.compile(rf".*?Collection \(.*?\) {_SIZE}\(([0-9]{{1,15}})%\)->{_SIZE}\(([0-9]{{1,15}})%\)")
_CLEANUP = re.compile(rf"Concurrent cleanup.*? {_SIZE}->{_SIZE}\({_SIZE}\)")
_OLD = re.compile(rf"(?:ParOldGen|Tenured|CMS): {_SIZE}(?:\([^)]*\))?->{_SIZE}")
_REGIONS = re.compile(r"(Eden|Survivor|Old|Humongous|Archive) regions: ([0-9]{1,15})->([0-9]{1,15})")
_PROMOTED = re.compile(rf"Promoted: .* {_SIZE} \([0-9]{{1,15}}%\)")
_REGION_SIZE = re.compile(rf"Heap [Rr]egion [Ss]ize: {_SIZE}")
_SAFEPOINT = re.compile(r'Safepoint "(.*?)", .*?Reaching safepoint: ([0-9]{1,19}) ns, .*?Total: ([0-9]{1,19}) ns')
_DROPPED = re.compile(r" *([0-9]+) messages dropped due to async logging")
_STOPPED = re.compile(
    r"Total time for which application threads were stopped: ([0-9]{1,15}[.,][0-9]{1,15}) seconds, "
    r"Stopping threads took: ([0-9]{1,15}[.,][0-9]{1,15}) seconds"
)
_STALL = re.compile(r"(?:Allocation|Relocation) Stall \(.*\) ([0-9]{1,15}[.,][0-9]{1,15})ms")
_USING = re.compile(r"Using (The Z Garbage Collector|G1|Shenandoah|Parallel|Serial|Concurrent Mark Sweep|Epsilon)\b")
_NAMES = {"The Z Garbage Collector": "zgc", "Concurrent Mark Sweep": "cms"}


class Unified:
    """Reads messages in their order; what belongs to one collection comes in several lines.

    Attributes:
        boot: when the JVM started, seconds since 1970, if known from elsewhere.
        collector: which one writes like this; empty until a line gave it away.
        begun: the pauses whose beginning was told, and not yet their end.
    """

    def __init__(self, missed: Missed) -> None:
        self.boot: float | None = None
        self.collector = ""
        self.begun = OpenPauses(missed)
        self._missed = missed
        self._region: int | None = None
        self._regions: dict[str, tuple[int, int]] = {}
        self._promoted: Bytes | None = None
        self._exhausted = -1  # the collection that ran out of room, by its number

    def read(self, decorations: str, number: str | None, message: str) -> Event | None:
        """Read a message; gives an event where one is complete.

        Args:
            decorations: what stands before it, without the outermost brackets.
            number: of the collection, as in GC(number); None if the message is about none.
            message: the message from where `RELEVANT` found it.
        """
        first = message[:4]
        if first == "Paus":
            return self._pause(decorations, message.rstrip(), int(number or -1))
        if first in _HEAP:
            self._heap(message)
            return None
        if first in _CYCLES:
            return self._cycle(decorations, message)
        if first == "To-s":
            self._exhausted = int(number or -1)
            return None
        return self._other(decorations, message)

    def _pause(self, decorations: str, message: str, number: int) -> Pause | None:
        words, _, length = message.rpartition(" ")
        ms = _MS.fullmatch(length) if length.endswith("ms") else None
        if ms is None:
            if "start" in decorations or "gc" not in decorations:  # where tags are told they say so
                self._regions, self._promoted = {}, None
                self.begun.begin(decorations, message, number)
            return None
        self.begun.end(number)
        said, _, last = words.rpartition(" ")
        transition = _TRANSITION.fullmatch(last)
        if transition is not None:
            words = said
        sizes = heap(*transition.groups()) if transition is not None else None
        found = meaning(words)
        self.collector = _TELLTALES.get(found.kind, self.collector)
        return Pause(
            at=moment(decorations, self.boot),
            ms=MillisecondsExact(decimal(ms[1])),
            kind=found.kind,
            cause=found.cause,
            before=sizes.before if sizes else None,
            after=sizes.after if sizes else None,
            total=sizes.total if sizes else None,
            evacuation_failed=found.failed or number == self._exhausted >= 0,
            promoted=self._grown(sizes.after if sizes else None),
            number=number,
        )

    def _heap(self, message: str) -> None:
        if found := _REGIONS.match(message):
            self.collector = "g1"
            self._regions[found[1]] = (int(found[2]), int(found[3]))
        elif found := _OLD.match(message):
            self.collector = _TELLTALES[message[:3]]
            self._promoted = Bytes(max(0, size(found[3], found[4]) - size(found[1], found[2])))

    def _grown(self, after: Bytes | None) -> Bytes | None:
        """How much the old generation grew in the collection that just ended."""
        regions, promoted = self._regions, self._promoted
        self._regions, self._promoted = {}, None
        if "Old" in regions:
            old_before, old_after = regions["Old"]
            region = self._region or _region_size(after, sum(after for _, after in regions.values()))
            return None if region is None else Bytes(max(0, old_after - old_before) * region)
        return promoted

    def _cycle(self, decorations: str, message: str) -> Cycle | None:
        if found := _CLEANUP.match(message):
            sizes = heap(*found.groups())
            at = moment(decorations, self.boot)
            return Cycle(at=at, before=sizes.before, after=sizes.after, total=sizes.total)
        if found := _CYCLE.match(message):
            before, after = size(found[1], found[2]), size(found[4], found[5])
            used, percent = max((before, int(found[3])), (after, int(found[6])))  # the larger is the less rounded
            total = Bytes(used * 100 // percent) if percent else None
            promoted, self._promoted = self._promoted, None
            at = moment(decorations, self.boot)
            return Cycle(at=at, before=before, after=after, total=total, promoted=promoted)
        if found := _PROMOTED.match(message.strip()):
            # not made up: the beginning of a sum; where no line told a part it stays None
            self._promoted = Bytes((self._promoted or 0) + size(found[1], found[2]))
        return None

    def _other(self, decorations: str, message: str) -> Event | None:
        first = message[:4]
        if first == "Safe" and (found := _SAFEPOINT.match(message)):
            return Safepoint(
                at=moment(decorations, self.boot),
                reaching_ms=MillisecondsExact(int(found[2]) / 1e6),
                total_ms=MillisecondsExact(int(found[3]) / 1e6),
                operation=found[1],
            )
        if first == "Tota" and (found := _STOPPED.match(message)):
            return stopped(moment(decorations, self.boot), total=found[1], reaching=found[2])
        if first in {"Allo", "Relo"} and (found := _STALL.match(message)):
            return Stall(moment(decorations, self.boot), MillisecondsExact(decimal(found[1])))
        if first == "Usin" and (found := _USING.match(message)):
            self.collector = _NAMES.get(found[1], found[1].lower())
            return Start(moment(decorations, self.boot), self.collector)
        if found := _DROPPED.match(message):
            self._missed.drop(int(found[1]), moment(decorations, self.boot))
        if first == "Heap" and (found := _REGION_SIZE.match(message)):
            self._region = size(found[1], found[2])
        return None


_HEAP = frozenset({"Eden", "Surv", "Old ", "Humo", "Arch", "ParO", "Tenu", "CMS:"})
_CYCLES = frozenset({"Conc", "Garb", "Majo", "Mino", " Pro"})
_TELLTALES = {"mark start": "zgc", "init mark": "shenandoah", "Par": "parallel", "Ten": "serial", "CMS": "cms"}


def stopped(at: Moment, *, total: str, reaching: str) -> Safepoint:
    """Give the stop that JDK 8 to 12 tell in seconds."""
    return Safepoint(
        at=at,
        reaching_ms=MillisecondsExact(decimal(reaching) * 1000),
        total_ms=MillisecondsExact(decimal(total) * 1000),
    )


def is_stop(message: str) -> re.Match[str] | None:
    """Find the sentence about a stop, which JDK 8 writes in the same words as JDK 9 to 12."""
    return _STOPPED.search(message)


def _region_size(used: int | None, regions: int) -> int | None:
    """The size of a G1 region where the line that tells it was rotated away.

    It is a power of two of at least 1 MiB; regions in use are more than half full on the whole, so that the least
    power which holds what is used is the one.
    """
    if not used or not regions:
        return None
    region = 1 << 20
    while region * regions < used:
        region *= 2
    return region
