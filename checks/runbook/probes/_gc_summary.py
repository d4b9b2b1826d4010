"""The numbers of a GC log: the same for brokers and for clients."""

from typing import Annotated, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from runbook.formats.gc_log import GcSummary, summarize
from runbook.model.quantity import Bytes, BytesPerSecond, MillisecondsExact, Moment, Percent, Seconds
from runbook.model.row import Cell, Row
from runbook.probes._gc_logs import OpenedLog, moment_text, scope, shortfall, tells_no_pauses

N = TypeVar("N", bound=float)


class GcNumbers(Row):
    """What a log tells. In a row it stands after what says whose log it is; all is unknown of one that was not read."""

    file: Annotated[str, Cell("The log; empty, stdout or stderr if the JVM writes none to a file.")]
    collector: Annotated[
        str | None, Cell("g1, zgc, shenandoah, parallel, serial, cms; empty if the lines do not tell.")
    ]
    begins: Annotated[Moment | None, Cell("First line that counts.", moves=True)]
    ends: Annotated[Moment | None, Cell("Last line.", moves=True)]
    silent_seconds: Annotated[Seconds | None, Cell("Age of the last line.")]
    covers_seconds: Annotated[Seconds | None, Cell("Time from the first line that counts to the last.")]
    pauses: Annotated[
        int | None, Cell("Times at which all threads stood still for the collector.", unit="pauses", moves=True)
    ]
    longest: Annotated[
        MillisecondsExact | None,
        Cell(
            "Longest stop: how long no application thread ran, whatever the reason; of one that has no end, at least."
        ),
    ]
    longest_kind: Annotated[
        str | None,
        Cell("What it was: `full (G1 Compaction Pause)`, `24.9 s on the way to a safepoint (Cleanup)`.", moves=True),
    ]
    collecting: Annotated[
        bool | None, Cell("Whether a collection took most of it, and not the way to a safepoint or another reason.")
    ]
    scope: Annotated[
        str | None, Cell("Which stops the JVM does not log, as it is configured; empty if it logs them all.")
    ]
    p50: Annotated[MillisecondsExact | None, Cell("Median of pauses, by nearest rank.")]
    p99: Annotated[
        MillisecondsExact | None,
        Cell("99th percentile of pauses, by nearest rank: of n, the one at place ceil(0.99 n)."),
    ]
    rate: Annotated[float | None, Cell("How often pauses happen.", unit="pauses a minute", moves=True)]
    lost: Annotated[Percent | None, Cell("Time lost to stops, of the time that the log covers.")]
    full: Annotated[
        int | None,
        Cell("Full collections, whatever their cause, also one that had not ended.", unit="pauses", moves=True),
    ]
    asked_for: Annotated[
        int | None, Cell("Those that were requested: System.gc(), a heap dump.", unit="pauses", moves=True)
    ]
    forced: Annotated[
        int | None,
        Cell(
            "Those of them that the heap forced: not asked for, and not to make room for classes.",
            unit="pauses",
            moves=True,
        ),
    ]
    no_metaspace: Annotated[
        int | None,
        Cell(
            "Those of them that happened because metaspace, which holds classes, had no room and may not grow.",
            unit="pauses",
            moves=True,
        ),
    ]
    degenerated: Annotated[
        int | None, Cell("Collections that Shenandoah finished with all threads stopped.", unit="pauses", moves=True)
    ]
    evacuation_failures: Annotated[
        int | None, Cell("Pauses that had no room to copy what was alive to.", unit="pauses", moves=True)
    ]
    stalls: Annotated[
        int | None, Cell("Times at which a thread waited for memory, with ZGC.", unit="stalls", moves=True)
    ]
    longest_stall: Annotated[MillisecondsExact | None, Cell("Longest of those.")]
    safepoints: Annotated[
        int | None, Cell("Stops for any reason that were logged; 0 without -Xlog:safepoint.", unit="stops", moves=True)
    ]
    longest_to_safepoint: Annotated[
        MillisecondsExact | None, Cell("Longest wait until all threads had stopped; needs -Xlog:safepoint.")
    ]
    heap_after: Annotated[Bytes | None, Cell("Heap used after the last collection.", moves=True)]
    heap_total: Annotated[Bytes | None, Cell("Heap there was to be used then.", moves=True)]
    heap_after_percent: Annotated[Percent | None, Cell("Median of what collections left used, of what there was.")]
    heap_max: Annotated[
        Bytes | None,
        Cell("The most the heap may become, as the command line says; unknown where only the log is seen."),
    ]
    heap_trend: Annotated[
        float | None,
        Cell("Growth of what collections leave used; from ten collections on.", unit="bytes an hour", moves=True),
    ]
    allocated: Annotated[
        BytesPerSecond | None, Cell("Memory that the application asks for; too low with ZGC and Shenandoah.")
    ]
    promoted: Annotated[BytesPerSecond | None, Cell("Growth of the old generation by collections of the young one.")]
    lines: Annotated[int | None, Cell("Lines that were read.", unit="lines", moves=True)]
    foreign: Annotated[
        int | None, Cell("Lines among them that are no GC log's: cut off, or garbage.", unit="lines", moves=True)
    ]


_MEASURED = GcNumbers.__struct_fields__[1:]
_OF_PAUSES = (
    *("pauses", "longest", "longest_kind", "collecting", "p50", "p99", "rate", "lost"),
    *("full", "asked_for", "forced", "no_metaspace"),
)


class Summed(Struct):
    """A log that was read, and what keeps it from telling all of the window."""

    numbers: GcNumbers
    lacks: list[str]


def sum_up(looked: OpenedLog) -> Summed:
    """Read a log and sum it up."""
    reader = looked.reader()
    summary = summarize(reader, looked.opened.parts, looked.span.since)
    numbers = _numbers(looked.log.path, summary, looked.span.now)
    numbers = replace(numbers, heap_max=looked.heap_max, scope=scope(reader))
    if tells_no_pauses(reader):
        numbers = replace(numbers, **dict.fromkeys(_OF_PAUSES))
    return Summed(numbers=numbers, lacks=list(shortfall(looked, reader)))


def numbers_of(file: str, found: Summed | None) -> GcNumbers:
    """The numbers of a log; unknown where it was not read."""
    return GcNumbers(file=file, **dict.fromkeys(_MEASURED)) if found is None else found.numbers


def _numbers(file: str, s: GcSummary, now: float) -> GcNumbers:
    minutes = s.seconds / 60 if s.seconds else None
    nothing = MillisecondsExact(0.0)
    return GcNumbers(
        file=file,
        collector=s.collector,
        begins=moment_text(s.begins),
        ends=moment_text(s.ends),
        silent_seconds=None if s.ends is None else Seconds(round(max(0.0, now - s.ends), 1)),
        covers_seconds=_rounded(s.seconds, 1),
        pauses=s.pauses,
        longest=nothing if s.longest is None else s.longest.ms,
        longest_kind="" if s.longest is None else s.longest.what,
        collecting=s.longest is not None and s.longest.kind != "safepoint",
        scope=None,
        p50=s.p50_ms if s.pauses else nothing,
        p99=s.p99_ms if s.pauses else nothing,
        rate=_rounded(s.pauses / minutes, 2) if minutes else None,
        lost=Percent(round(s.stopped_ms / s.seconds / 10, 3)) if s.seconds else None,
        full=s.full,
        asked_for=s.asked_for,
        forced=s.forced,
        no_metaspace=s.no_metaspace,
        degenerated=s.degenerated,
        evacuation_failures=s.evacuation_failures,
        stalls=s.stalls,
        longest_stall=s.longest_stall_ms if s.stalls else nothing,
        safepoints=s.safepoints,
        longest_to_safepoint=s.longest_to_safepoint_ms,
        heap_after=s.heap_after,
        heap_total=s.heap_total,
        heap_after_percent=_rounded(s.heap_after_percent, 1),
        heap_max=None,
        heap_trend=_rounded(s.heap_trend, 0),
        allocated=_rounded(s.allocated, 0),
        promoted=_rounded(s.promoted, 0),
        lines=s.lines,
        foreign=s.foreign,
    )


def _rounded(number: N | None, digits: int) -> N | None:
    """Enough digits for a decision, and few enough to be read."""
    return None if number is None else cast("N", round(number, digits))
