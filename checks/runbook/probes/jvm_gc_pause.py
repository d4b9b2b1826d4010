"""The long pauses of each broker's JVM, one by one: what to hold against the moments at which something happened."""

import heapq
from collections.abc import Iterable
from itertools import count
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from runbook.answers.files import READS as FILE_READS
from runbook.formats import gc_log
from runbook.formats.gc_log import Pause, Reader
from runbook.model.fact import Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Bytes, MillisecondsExact, Moment
from runbook.model.row import Cell, Row
from runbook.probes._gc_logs import HOST_REQUESTS, POD_REQUESTS, OpenedLog, each_log, keys, moment_text, shortfall

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
    """A long pause."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    place: Annotated[int, Cell("Its place among the rows of this broker, by time.", key=True, moves=True)]
    host: Annotated[str, Cell("Host it runs on; empty for files on this machine.", entity="host")]
    ended: Annotated[Moment | None, Cell("When the threads ran again.", moves=True)]
    length: Annotated[MillisecondsExact, Cell("How long they stood still.")]
    kind: Annotated[
        str, Cell("young, mixed, full, remark, degenerated gc, mark start…: in the log's words.", moves=True)
    ]
    cause: Annotated[str, Cell("Why, in the log's words; empty if not said.", moves=True)]
    before: Annotated[Bytes | None, Cell("Heap used before.", moves=True)]
    after: Annotated[Bytes | None, Cell("Heap used after.", moves=True)]
    total: Annotated[Bytes | None, Cell("Heap there was to be used.", moves=True)]
    evacuation_failed: Annotated[bool, Cell("Whether there was no room to copy what was alive to.", moves=True)]


PROBE = Probe(
    connections=("ssh", "files", "kubernetes"),
    needs={"kubernetes": "logs"},
    help=f"One row per pause of a broker's JVM that was long; of one broker the {MOST} longest at most.",
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
        "at_least": Parameter(type="float", default=100.0, min=0.0, help="milliseconds from which a pause is long"),
    },
)


class _LongPauses(Struct):
    pauses: list[Pause]
    lacks: list[str]


def observe(connection: "Files | Hosts | Kubernetes", window: str = "24h", at_least: float = 100.0) -> Observed:
    """Observe the long pauses in the log of every broker."""
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
        rows += [
            JvmGcPause(
                broker=read_log.log.broker,
                place=place,
                host=read_log.log.host,
                ended=moment_text(pause.at.wall),
                length=pause.ms,
                kind=pause.kind,
                cause=pause.cause,
                before=pause.before,
                after=pause.after,
                total=pause.total,
                evacuation_failed=pause.evacuation_failed,
            )
            for place, pause in enumerate(read_log.found.pauses, 1)
        ]
    return Observed(rows=rows, gaps=gaps)


def _read(looked: OpenedLog, at_least: float, *, whole: bool) -> _LongPauses:
    since = looked.span.since
    reader = Reader(since)
    long = _long(reader.events(looked.opened.parts), since, at_least)
    return _LongPauses(long, list(shortfall(looked, reader, of_age=not whole)))


def _long(events: Iterable[object], since: float, at_least: float) -> list[Pause]:
    """The longest pauses, by time. Those that do not say when they were count as within the window."""
    kept: list[tuple[float, int, Pause]] = []
    for place, event in zip(count(), events):
        if not isinstance(event, Pause) or event.ms < at_least or _before(event.at, since):
            continue
        if len(kept) < MOST:
            heapq.heappush(kept, (event.ms, place, event))
        else:
            heapq.heappushpop(kept, (event.ms, place, event))
    return [pause for _, _, pause in sorted(kept, key=lambda one: one[1])]


def _before(at: gc_log.Moment, since: float) -> bool:
    return at.wall is not None and at.wall < since
