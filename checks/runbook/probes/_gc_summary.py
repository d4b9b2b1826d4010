"""The numbers of a GC log as columns: the same for brokers and for clients."""

from typing import Any

from msgspec import Struct

from runbook.engine.column import Column
from runbook.formats.gc_log import Reader, Summary, summarize
from runbook.probes._gc_logs import Looked, moment_text, shortfall, tells_no_pauses

_NUMBERS: tuple[tuple[str, str, str | None, str], ...] = (
    ("pauses", "int", "pauses", "Times at which all threads stood still for the collector"),
    ("longest", "float", "ms", "Longest of them"),
    ("p50", "float", "ms", "Median of them, by nearest rank"),
    ("p99", "float", "ms", "99th percentile of them, by nearest rank: of n, the one at place ceil(0.99 n)"),
    ("rate", "float", "pauses a minute", "How often they happen"),
    ("lost", "float", "percent", "Time lost to them, of the time that the log covers"),
    ("full", "int", "pauses", "Full collections, whatever their cause"),
    ("asked_for", "int", "pauses", "Those of them that somebody asked for: System.gc(), a heap dump"),
    ("forced", "int", "pauses", "Those of them that the heap forced: not asked for, and not to make room for classes"),
    ("degenerated", "int", "pauses", "Collections that Shenandoah finished with all threads stopped"),
    ("evacuation_failures", "int", "pauses", "Pauses that had no room to copy what was alive to"),
    ("stalls", "int", "stalls", "Times at which a thread waited for memory, with ZGC"),
    ("longest_stall", "float", "ms", "Longest of those"),
    ("safepoints", "int", "stops", "Stops for any reason that were logged; 0 without -Xlog:safepoint"),
    ("longest_to_safepoint", "float", "ms", "Longest wait until all threads had stopped; needs -Xlog:safepoint"),
    ("longest_stop", "float", "ms", "Longest stop for any reason, with the way to it; needs -Xlog:safepoint"),
    ("heap_after", "int", "bytes", "Heap used after the last collection"),
    ("heap_total", "int", "bytes", "Heap there was to be used then"),
    ("heap_after_percent", "float", "percent", "Median of what collections left used, of what there was"),
    ("heap_trend", "float", "bytes an hour", "Growth of what collections leave used; from ten collections on"),
    ("allocated", "float", "bytes a second", "Memory that the application asks for; too low with ZGC and Shenandoah"),
    ("promoted", "float", "bytes a second", "Growth of the old generation by collections of the young one"),
    ("lines", "int", "lines", "Lines that were read"),
    ("foreign", "int", "lines", "Lines among them that are no GC log's: cut off, or garbage"),
)

COLUMNS = (
    Column("file", "string", "The log; empty, stdout or stderr if the JVM writes none to a file."),
    Column("collector", "string", "g1, zgc, shenandoah, parallel, serial, cms; empty if the lines do not tell."),
    Column("begins", "timestamp", "First line that counts."),
    Column("ends", "timestamp", "Last line."),
    Column("silent_seconds", "float", "Age of the last line.", unit="s"),
    Column("covers_seconds", "float", "Time from the first line that counts to the last.", unit="s"),
    *(Column(name, kind, f"{words}.", unit=unit) for name, kind, unit, words in _NUMBERS),  # type: ignore[arg-type]
)
"""What a log tells, after the columns that say whose it is."""

_NAMES = [column.name for column in COLUMNS[1:]]
_OF_PAUSES = frozenset({"pauses", "longest", "p50", "p99", "rate", "lost", "full", "asked_for", "forced"})


class Summed(Struct):
    """A log that was read: its cells after the file's name, and what keeps it from telling all of the window."""

    cells: list[Any]
    lacks: list[str]


def sum_up(looked: Looked) -> Summed:
    """Read a log and sum it up."""
    reader = Reader(looked.span.since)
    summary = summarize(reader, looked.opened.parts, looked.span.since)
    cells = _cells(summary, looked.span.now)
    if tells_no_pauses(reader):
        cells = [None if name in _OF_PAUSES else cell for name, cell in zip(_NAMES, cells, strict=True)]
    return Summed(cells, list(shortfall(looked, reader)))


def cells_of(file: str, found: Summed | None) -> list[Any]:
    """The cells of a log; unknown where it was not read."""
    return [file, *([None] * len(_NAMES) if found is None else found.cells)]


def _cells(s: Summary, now: float) -> list[Any]:
    minutes = s.seconds / 60 if s.seconds else None
    return [
        s.collector,
        moment_text(s.begins),
        moment_text(s.ends),
        None if s.ends is None else round(max(0.0, now - s.ends), 1),
        _rounded(s.seconds, 1),
        s.pauses,
        s.longest_ms if s.pauses else 0.0,
        s.p50_ms if s.pauses else 0.0,
        s.p99_ms if s.pauses else 0.0,
        _rounded(s.pauses / minutes, 2) if minutes else None,
        _rounded(s.paused_ms / s.seconds / 10, 3) if s.seconds else None,
        s.full,
        s.asked_for,
        s.forced,
        s.degenerated,
        s.evacuation_failures,
        s.stalls,
        s.longest_stall_ms if s.stalls else 0.0,
        s.safepoints,
        s.longest_to_safepoint_ms,
        s.longest_stop_ms,
        s.heap_after,
        s.heap_total,
        _rounded(s.heap_after_percent, 1),
        _rounded(s.heap_trend, 0),
        _rounded(s.allocated, 0),
        _rounded(s.promoted, 0),
        s.lines,
        s.foreign,
    ]


def _rounded(number: float | None, digits: int) -> float | None:
    """Enough digits for a decision, and few enough to be read."""
    return None if number is None else round(number, digits)
