"""The long stops of each broker's JVM, one by one: what to hold against the moments at which something happened."""

import heapq
from collections.abc import Iterable, Iterator
from itertools import chain, count
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from runbook.answers.files import READS as FILE_READS
from runbook.formats import gc_log
from runbook.formats.gc_log import Event, Stop, Timeline
from runbook.model.fact import Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Bytes, MillisecondsExact, Moment
from runbook.model.row import Cell, Row
from runbook.probes._gc_logs import (
    HOST_REQUESTS,
    POD_REQUESTS,
    OpenedLog,
    each_log,
    keys,
    moment_text,
    scope,
    shortfall,
)

if TYPE_CHECKING:
    from runbook.connections.files import Files
    from runbook.connections.kubernetes import Kubernetes
    from runbook.connections.ssh import Hosts

ALL = "all"
"""The window of one who has a log before him, of any age: then that it is old leaves nothing open."""

_EVER = "36500d"  # a hundred years
MOST = 500
"""Rows of one broker: a picture shows no more, and nobody reads more. Our judgement."""


class JvmGcPause(Row):
    """A long stop: a pause of a collection with the way to it, or another time in which no application thread ran."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    place: Annotated[int, Cell("Its place among the rows of this broker, by time.", key=True, moves=True)]
    host: Annotated[str, Cell("Host it runs on; empty for files on this machine.", entity="host")]
    ended: Annotated[
        Moment | None,
        Cell(
            "When the threads ran again; of one that had not ended, until when it is known to have lasted.", moves=True
        ),
    ]
    length: Annotated[MillisecondsExact, Cell("How long they stood still; at least, where it had not ended.")]
    reaching: Annotated[
        MillisecondsExact | None, Cell("The part of it on the way to the safepoint; unknown where that is not logged.")
    ]
    unended: Annotated[bool, Cell("Whether it began and has no end in the log.", moves=True)]
    kind: Annotated[
        str,
        Cell(
            "young, mixed, full, remark, degenerated gc, mark start…: in the log's words; safepoint for a stop that no "
            "collection explains, or that is the way to a safepoint for the most part.",
            moves=True,
        ),
    ]
    cause: Annotated[
        str, Cell("Why, in the log's words: a collection's cause, or a JVM's operation; empty if not said.", moves=True)
    ]
    what: Annotated[
        str,
        Cell(
            "The same for a sentence: `24.9 s on the way to a safepoint`, `Full GC (G1 Compaction Pause)`.", moves=True
        ),
    ]
    scope: Annotated[str, Cell("Which stops its JVM does not log, as it is configured; empty if it logs all.")]
    before: Annotated[Bytes | None, Cell("Heap used before.", moves=True)]
    after: Annotated[Bytes | None, Cell("Heap used after.", moves=True)]
    total: Annotated[Bytes | None, Cell("Heap there was to be used.", moves=True)]
    evacuation_failed: Annotated[bool | None, Cell("Whether there was no room to copy what was alive to.", moves=True)]


PROBE = Probe(
    connections=("ssh", "files", "kubernetes"),
    needs={"kubernetes": "logs"},
    help=f"One row per stop of a broker's JVM that was long; of one broker the {MOST} longest at most.",
    row=JvmGcPause,
    requests=(*HOST_REQUESTS, *FILE_READS, *POD_REQUESTS),
    rights=(
        "read the log files: as the user that the brokers run under, or in its group",
        "list pods and get pods/log, where the logs of pods are asked",
    ),
    parameters={
        "window": Parameter(
            type="string", default="24h", help="how far to look back; all: whatever the log holds, however old"
        ),
        "at_least": Parameter(type="float", default=100.0, min=0.0, help="milliseconds from which a stop is long"),
    },
)


class _LongStops(Struct):
    stops: list[Stop]
    lacks: list[str]
    scope: str
    reaching: bool


def observe(connection: "Files | Hosts | Kubernetes", window: str = "24h", at_least: float = 100.0) -> Observed:
    """Observe the long stops in the log of every broker."""
    whole = window == ALL
    read_logs, gaps = each_log(
        connection, _EVER if whole else window, lambda looked: _read(looked, at_least, whole=whole)
    )
    rows: list[JvmGcPause] = []
    for read_log in read_logs:
        if read_log.log is None or read_log.found is None:
            continue
        gaps += [Gap(reason, keys(read_log.log)) for reason in read_log.found.lacks]
        assert read_log.log.broker is not None  # these are the brokers' logs
        rows += _rows(read_log.log.broker, read_log.log.host, read_log.found)
    return Observed(rows=rows, gaps=gaps)


def _rows(broker: BrokerId, host: str, found: _LongStops) -> Iterator[JvmGcPause]:
    for place, stop in enumerate(found.stops, 1):
        pause = stop.pause
        yield JvmGcPause(
            broker=broker,
            place=place,
            host=host,
            ended=moment_text(stop.at.wall),
            length=stop.ms,
            reaching=stop.reaching_ms if found.reaching else None,
            unended=stop.unended is not None,
            kind=stop.kind,
            cause=stop.cause,
            what=stop.what,
            scope=found.scope,
            before=None if pause is None else pause.before,
            after=None if pause is None else pause.after,
            total=None if pause is None else pause.total,
            evacuation_failed=None if pause is None else pause.evacuation_failed,
        )


def _read(looked: OpenedLog, at_least: float, *, whole: bool) -> _LongStops:
    reader = looked.reader()
    timeline = Timeline(reader.missed).of(reader.events(looked.opened.parts))
    long = _long(timeline, looked.span.since, at_least)
    lacks = list(shortfall(looked, reader, of_age=not whole))
    return _LongStops(long, lacks, scope(reader), reader.tells_safepoints)


def _long(timeline: Iterable[tuple[Event | None, list[Stop]]], since: float, at_least: float) -> list[Stop]:
    """The longest stops, by time. Those that do not say when they were count as within the window."""
    kept: list[tuple[float, int, Stop]] = []
    for place, stop in zip(count(), chain.from_iterable(stops for _, stops in timeline)):
        open_ended = stop.unended is not None and not stop.unended.stands
        if (stop.ms < at_least and not open_ended) or _before(stop.at, since):
            continue
        if len(kept) < MOST:
            heapq.heappush(kept, (stop.ms, place, stop))
        else:
            heapq.heappushpop(kept, (stop.ms, place, stop))
    return [stop for _, _, stop in sorted(kept, key=lambda one: one[1])]


def _before(at: gc_log.Moment, since: float) -> bool:
    return at.wall is not None and at.wall < since
