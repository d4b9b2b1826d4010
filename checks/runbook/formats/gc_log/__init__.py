"""GC logs of the JVM: unified logging (JDK 9 and later, every collector) and the format of JDK 8.

Stops are what counts: a broker that stands still sends no heartbeats, whatever stopped its threads. Phases that run
beside the application are left out.
"""

from runbook.formats.gc_log.event import Cycle, Event, Moment, Pause, Safepoint, Stall, Start, Unended, length, named
from runbook.formats.gc_log.missed import Missed
from runbook.formats.gc_log.reader import LogPart, Reader
from runbook.formats.gc_log.stops import Stop, Timeline
from runbook.formats.gc_log.summary import GcSummary, summarize

__all__ = [
    "Cycle",
    "Event",
    "GcSummary",
    "LogPart",
    "Missed",
    "Moment",
    "Pause",
    "Reader",
    "Safepoint",
    "Stall",
    "Start",
    "Stop",
    "Timeline",
    "Unended",
    "length",
    "named",
    "summarize",
]
