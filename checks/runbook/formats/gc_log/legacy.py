"""Lines of JDK 8 (-XX:+PrintGCDetails, with or without date stamps): Parallel, Serial, CMS and G1.

A line tells when the collection began, and its own length; G1 tells the heap some lines further down.
"""

import re

from runbook.formats.gc_log.decoration import NOWHEN, dated
from runbook.formats.gc_log.event import Event, Moment, Pause, Start, decimal, size
from runbook.formats.gc_log.unified import is_stop, stopped

_SIZE = r"([0-9]+(?:[.,][0-9]+)?)([BKMGT])"
_STAMPS = re.compile(r"(?:([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.,]+(?:Z|[+-][0-9]{4})): )?(?:([0-9]+[.,][0-9]+): )?")
_LENGTH = re.compile(r", ([0-9]+[.,][0-9]+) secs\]")
_CAUSE = re.compile(r"\[(?:Full GC|GC(?: pause| remark| cleanup)?) *\(((?:[^()]|\(\))*)\)")
_WHOLE = re.compile(rf"(?<![\w.,]){_SIZE}->{_SIZE}\({_SIZE}\)")
_YOUNG = re.compile(rf"\[(?:PSYoungGen|DefNew|ParNew)(?: \([^)]*\))?: {_SIZE}->{_SIZE}\(")
_G1_HEAP = re.compile(
    rf"\[Eden: {_SIZE}\(.*?\)->{_SIZE}\(.*?\) Survivors: {_SIZE}->{_SIZE} Heap: {_SIZE}\({_SIZE}\)->{_SIZE}\({_SIZE}\)"
)
_COLLECTORS = {
    "UseG1GC": "g1",
    "UseConcMarkSweepGC": "cms",
    "UseParallelGC": "parallel",
    "UseParallelOldGC": "parallel",
    "UseSerialGC": "serial",
}
_TELLTALES = {"[GC pause": "g1", "[PSYoungGen": "parallel", "[ParNew": "cms", "[DefNew": "serial"}
_FLAG = re.compile(r"-XX:\+(Use\w+GC)\b")
_FAILED = ("to-space exhausted", "to-space overflow", "promotion failed", ")--", ") --[")
_LONGEST = 1 << 16
"""Characters of one event that was spread over lines; our judgement, tenuring distributions take 2,000."""

_EVENTS = ("[GC", "[Full GC")
_HEADS = ("OpenJDK ", "Java HotSpot", "Memory: ", "CommandLine flags: ", "Heap", " ", "[Times", "[Eden", "{Heap", "}")


class Legacy:
    """Reads lines in their order; a pause of G1 is complete when its heap was told, or when the next line begins.

    Attributes:
        boot: when the JVM started, seconds since 1970, if known from elsewhere.
        collector: which one writes like this; empty until a line gave it away.
    """

    def __init__(self) -> None:
        self.boot: float | None = None
        self.collector = ""
        self._waiting: Pause | None = None
        self._begun = ""  # an event whose end is on a line further down

    @property
    def unfinished(self) -> bool:
        """Whether the next line may go on with an event, whatever it looks like."""
        return bool(self._begun)

    def read(self, line: str) -> list[Event]:
        """Read a line; gives the events that it completes, in order."""
        if line.startswith("CommandLine flags: "):
            return [*self.end(), *self._start(line)]
        if self._waiting is not None and (found := _G1_HEAP.search(line)):
            _tell_heap(self._waiting, found.groups())
            return self.end()
        stamps = _STAMPS.match(line)
        assert stamps is not None  # both stamps may be left out
        if self._begun and not line[stamps.end() :].startswith(_EVENTS):
            line, self._begun = self._begun + line, ""
            stamps = _STAMPS.match(line)
            assert stamps is not None
        said = line[stamps.end() :]
        if said.startswith(_EVENTS) and not said.startswith("[GC concurrent"):
            self._begun = "" if _is_whole(said) or len(line) > _LONGEST else line.rstrip("\r\n")
            return self.end() + ([] if self._begun else self._collection(stamps, said))
        if said.startswith("Total time for which") and (stop := is_stop(said)):
            return [*self.end(), stopped(self._moment(stamps, 0.0), stop[1], stop[2])]
        return []

    def _start(self, line: str) -> list[Event]:
        """The collector that the command line names; each file of a rotated log begins so, so it is no restart."""
        named = [_COLLECTORS[flag] for flag in _FLAG.findall(line) if flag in _COLLECTORS]
        self.collector = named[-1] if named else self.collector
        return [Start(NOWHEN, self.collector)] if named else []

    def _moment(self, stamps: re.Match[str], seconds: float) -> Moment:
        """When what began at the stamps had ended."""
        wall = dated(stamps[1]) if stamps[1] else None
        uptime = decimal(stamps[2]) if stamps[2] else None
        if wall is None and uptime is not None and self.boot is not None:
            wall = self.boot + uptime
        return Moment(None if wall is None else wall + seconds, None if uptime is None else uptime + seconds)

    def end(self) -> list[Event]:
        """Give the pause that waited for more, when there is no more."""
        waiting, self._waiting = self._waiting, None
        return [] if waiting is None else [waiting]

    def _collection(self, stamps: re.Match[str], said: str) -> list[Event]:
        lengths = _LENGTH.findall(said)
        if not lengths:
            return []
        seconds = decimal(lengths[-1])
        self.collector = next((name for words, name in _TELLTALES.items() if words in said), self.collector)
        pause = Pause(self._moment(stamps, seconds), seconds * 1000, _kind(said), _cause(said))
        pause.evacuation_failed = any(words in said for words in _FAILED)
        if sizes := _WHOLE.findall(_outside(said)):
            pause.before, pause.after, pause.total = (size(*sizes[-1][i : i + 2]) for i in (0, 2, 4))
            pause.promoted = _promoted(said, pause)
        elif said.startswith(("[GC pause", "[Full GC")):
            self._waiting = pause
            return []
        return [pause]


def is_legacy(line: str) -> bool:
    """Say whether a line may be of JDK 8: a stamp, a bracket or what its log begins and goes on with."""
    return line[:1].isdigit() or line.startswith((*_EVENTS, *_HEADS))


def _is_whole(said: str) -> bool:
    """Whether the line was written to its end: as many brackets are closed as are opened."""
    return said.count("[") == said.count("]")


def _outside(said: str) -> str:
    """What stands in the outermost brackets only: the whole heap, not its generations."""
    depth, kept = 0, []
    before_times, times, rest = said.rpartition("[Times:")
    for char in before_times if times else rest:
        depth += {"[": 1, "]": -1}.get(char, 0)
        if depth == 1 and char not in "[]":
            kept.append(char)
    return "".join(kept)


def _kind(said: str) -> str:
    if said.startswith("[Full GC") or "concurrent mode failure" in said or "[CMS: " in said:
        return "full"
    for words, kind in (
        ("[GC remark", "remark"),
        ("[GC cleanup", "cleanup"),
        ("CMS Initial Mark", "initial mark"),
        ("CMS-initial-mark", "initial mark"),
        ("CMS Final Remark", "remark"),
        ("CMS-remark", "remark"),
    ):
        if words in said:
            return kind
    return "mixed" if "(mixed)" in said else "young"


def _cause(said: str) -> str:
    found = _CAUSE.match(said)
    return found[1] if found else ""


def _promoted(said: str, pause: Pause) -> int | None:
    """What left the young generation and is still there."""
    found = _YOUNG.search(said)
    if found is None or pause.kind != "young" or pause.before is None or pause.after is None:
        return None
    freed_young = size(found[1], found[2]) - size(found[3], found[4])
    return max(0, freed_young - (pause.before - pause.after))


def _tell_heap(pause: Pause, groups: tuple[str, ...]) -> None:
    sizes = [size(groups[i], groups[i + 1]) for i in range(0, len(groups), 2)]
    eden_before, _, survivors_before, survivors_after, before, _, after, total = sizes
    eden_after = sizes[1]
    pause.before, pause.after, pause.total = before, after, total
    if pause.kind == "young":
        old_before = before - eden_before - survivors_before
        pause.promoted = max(0, after - eden_after - survivors_after - old_before)
