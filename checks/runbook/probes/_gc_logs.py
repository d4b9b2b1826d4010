"""GC logs of brokers, wherever the inventory says that they are: in files here, or written by JVMs on hosts."""

import datetime as dt
import io
import posixpath
import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO, Generic, TypeVar

from msgspec import Struct

from runbook.answers.gc_logs import FindsGcLogs, GcLog, LogFile, Opened, open_log, rotated
from runbook.answers.kubernetes import reads
from runbook.answers.ssh import FileInfo
from runbook.answers.ssh.commands import FILES, JAVA, PROCESS, SETTINGS, TAIL
from runbook.answers.ssh.processes import JavaProcess
from runbook.formats import gc_log
from runbook.formats.gc_log import Missed, Reader, Unended, length, named
from runbook.formats.jvm_options import JvmOptions
from runbook.model.ask import seconds
from runbook.model.errors import CannotLook, Garbled, Misconfigured
from runbook.model.fact import Gap
from runbook.model.quantity import BrokerId, Bytes, Moment
from runbook.plugins.guard import attempt

if TYPE_CHECKING:
    from runbook.connections.files import Files
    from runbook.connections.kubernetes import Kubernetes
    from runbook.connections.ssh import Host, Hosts

T = TypeVar("T")

HOST_REQUESTS = tuple(command.shown() for command in (JAVA, PROCESS, SETTINGS, FILES, TAIL))
"""What is run on a host to find and read GC logs."""

POD_REQUESTS = tuple(f"GET {path}" for path in (reads.VERSION, reads.NAMESPACE, reads.PODS, reads.POD_LOG))
"""What is asked of Kubernetes for the logs of pods, where the inventory allows it."""

_HERE = 128 << 20
"""Bytes of all logs together that are read of files here: about three seconds of work. Our judgement."""

_THERE = 64 << 20
"""Bytes of all logs together that come over the network. Our judgement; a busy broker writes 25 MB a day."""

_SMALLEST = 4 << 20
"""Bytes of each log that are read however many there are. Our judgement."""

_GROWTH = 1 << 20
"""Bytes by which a log may grow between two commands on its host. Our judgement."""

_SILENT = 4 * 3600
"""Seconds after its last line at which a log is no evidence any more: a JVM that idles collects every few minutes to
every hour, one that is gone or writes elsewhere never does. Our judgement."""

_IN_PROGRESS = 1.0
"""Seconds for which a collection may have gone on when a log is read: that is no gap, the log is alive. One that
is longer may be the pause that is looked for. Our judgement."""

_PLACEHOLDER = re.compile("%[pt]")  # the JVM puts its process id and the time of its start there


class ReadWindow(Struct):
    """The window, `since` to `now` in seconds since 1970, and the bytes of one log that are read for it at most."""

    since: float
    now: float
    budget: Bytes


class OpenedLog(Struct):
    """A log that was opened.

    Attributes:
        log: whose it is.
        opened: its files.
        span: what of it is wanted.
        heap_max: the most its JVM's heap may become, if its command line was seen and says so.
    """

    log: GcLog
    opened: Opened
    span: ReadWindow
    heap_max: Bytes | None = None

    def reader(self) -> Reader:
        """A new reader for it."""
        return Reader(self.span.since, self.span.now if self.log.runs else None)


class ReadLog(Struct, Generic[T]):
    """What came of one log; `log` is None for a broker that does not tell which it is."""

    log: GcLog | None
    found: T | None
    gaps: list[Gap] = []


def each_log(
    connection: "Files | Hosts | Kubernetes", window: str, read: Callable[[OpenedLog], T]
) -> tuple[list[ReadLog[T]], list[Gap]]:
    """Read the GC log of every broker; those of several hosts at once.

    Args:
        connection: who is asked.
        window: how far to look back, such as 24h.
        read: reads one log.

    Returns:
        Each broker's log with what was read; None where the JVM logs nothing or its files can't be read, with a gap.
    """
    now = connection.clock.now("GC logs")
    since = now - _seconds(window)
    if isinstance(connection, FindsGcLogs):
        return _of_files(connection.gc_logs(), ReadWindow(since=since, now=now, budget=Bytes(0)), read)
    span = ReadWindow(since=since, now=now, budget=_share(_THERE, len(connection.names())))
    by_host, gaps = connection.each(lambda host: _of_host(host, span, read))
    read_logs = list(chain.from_iterable(by_host.values()))
    return read_logs, gaps + [gap for read_log in read_logs for gap in read_log.gaps]


def client_logs(files: "Files", window: str, read: Callable[[OpenedLog], T]) -> tuple[list[ReadLog[T]], list[Gap]]:
    """Read the GC log of every client that has one in the inventory; otherwise as `each_log`."""
    now = files.clock.now("GC logs of clients")
    return _of_files(files.client_gc_logs(), ReadWindow(since=now - _seconds(window), now=now, budget=Bytes(0)), read)


def _of_files(
    listed: tuple[list[GcLog], list[Gap]], span: ReadWindow, read: Callable[[OpenedLog], T]
) -> tuple[list[ReadLog[T]], list[Gap]]:
    logs, gaps = listed
    span.budget = _share(_HERE, len(logs))
    read_logs = [_read_log(log, span, read) for log in logs]
    return read_logs, gaps + [gap for read_log in read_logs for gap in read_log.gaps]


def _share(budget: int, logs: int) -> Bytes:
    return Bytes(max(_SMALLEST, budget // max(1, logs)))


def _read_log(
    log: GcLog, span: ReadWindow, read: Callable[[OpenedLog], T], heap_max: Bytes | None = None
) -> ReadLog[T]:
    if not log.files:
        reason = f"the JVM of {log.owner} writes no garbage collection log to a file: see turn-gc-logging-on"
        if log.path.startswith("/"):
            reason = f"the GC log of {log.owner} is to be {log.path}, and there is no such file"
        return ReadLog(log, None, [Gap(reason, keys(log))])
    found = attempt(lambda: read(OpenedLog(log, open_log(log, span.since, span.budget), span, heap_max)))
    if isinstance(found, CannotLook):
        return ReadLog(log, None, [Gap(f"the GC log of {log.owner}: {found}", keys(log))])
    return ReadLog(log, found)


def keys(log: GcLog) -> dict[str, str | int]:
    """What a gap about a log is about."""
    keys: dict[str, str | int] = {} if log.broker is None else {"broker": log.broker}
    return keys | ({"host": log.host} if log.host else {})


def moment_text(moment: float | None) -> Moment | None:
    """Write seconds since 1970 as a cell of a fact."""
    if moment is None:
        return None
    return Moment(dt.datetime.fromtimestamp(moment, dt.UTC).isoformat(timespec="milliseconds"))


def shortfall(looked: OpenedLog, reader: Reader, *, of_age: bool = True) -> Iterator[str]:
    """Say what keeps a log that was read from telling all of its window; `of_age`: also that it is short or old."""
    name, first, last = f"the GC log of {looked.log.owner}", reader.first.wall, reader.last.wall
    if not reader.gc_lines:  # also where all lines have times: those may be the server's own log
        yield f"{name} has no line of a GC log"
    elif first is None:
        yield f"{name} does not say when its lines were written: add the decoration `time` to -Xlog"
    elif of_age and not (reader.began or looked.opened.from_before or first <= looked.span.since):
        hours = (looked.span.now - first) / 3600
        yield f"{name} reaches back {hours:.1f} h only: let the JVM keep more of it, or ask for a shorter window"
    if of_age and last is not None and looked.span.now - last > _SILENT:
        hours = (looked.span.now - last) / 3600
        yield f"{name} was last written to {hours:.1f} h ago: what the JVM has done since is unknown"
    if tells_no_pauses(reader):
        yield f"{name} has collections and none of their pauses: log gc* instead of gc"
    yield from _missed(looked, reader.missed)


def scope(reader: Reader) -> str:
    """Say which stops a log does not tell by the way it is configured; empty if it tells them all."""
    without = [] if reader.tells_safepoints else ["safepoints are not logged: collection pauses only"]
    without += [] if reader.tells_beginnings or not reader.pauses else ["only pauses that ended are logged"]
    return "; ".join(without)


def _missed(looked: OpenedLog, missed: Missed) -> Iterator[str]:
    """Say which stops of the log may be unknown: what was read is then not all that there was."""
    name = f"the GC log of {looked.log.owner}"
    what = [
        (missed.lost, "collections of which only a part was found"),
        (missed.unread, "lines with a time stamp that are not understood"),
        (missed.unmatched, "pauses whose safepoints are missing"),
    ]
    if has := [f"{count} {of}" for count, of in what if count]:
        yield f"{name} has {' and '.join(has)}, the first{_when(missed.first)}: pauses may be missing"
    if missed.dropped:
        yield f"{name} lacks {missed.dropped} lines that its JVM dropped (-Xlog:async): pauses may be missing"
    if missed.numbers:
        yield f"{name} lacks {missed.numbers} collections, whose numbers are skipped: pauses may be missing"
    for last in missed.unended:
        if last.killed or last.began.wall is None or looked.span.now - last.began.wall > _IN_PROGRESS:
            yield f"{name}: a {named(last.kind, last.cause)} that began{_when(last.began)} {_how_it_went(last)}"
    if _is_over(missed.unmatched_last, looked):
        yield f"{name} has no safepoint for its last pause: lines are missing at its end"
    if missed.stop is not None and missed.stopped_far_longer:
        longest = f"{missed.stop_unexplained / 1000:.1f} s of the stop that ended{_when(missed.stop.at)}"
        yield (
            f"{name} has no pause for {missed.unexplained / 1000:.1f} s for which threads were stopped, {longest} "
            "among them: a pause is missing, or something else than the collector stopped them"
        )


def _is_over(at: gc_log.Moment | None, looked: OpenedLog) -> bool:
    """Whether what was written then is no pause that was in progress when the log was read."""
    return at is not None and (at.wall is None or looked.span.now - at.wall > _IN_PROGRESS)


def _how_it_went(last: Unended) -> str:
    """What is known of the end of a pause that the log does not tell."""
    if last.killed:
        return "had not ended when its JVM did"
    after = f" after {length(last.ms)}" if last.ms >= 1 else ""
    if last.stands:
        return f"had not ended{after}: it still stands, or its JVM can't write its log any more"
    return f"had not ended{after} when the log ends: the JVM was killed, or it still stands"


def _when(at: gc_log.Moment | None) -> str:
    if at is None or (at.wall is None and at.uptime is None):
        return " at an unknown time"
    return f" at {moment_text(at.wall)}" if at.wall is not None else f" {at.uptime:.3f} s after the JVM started"


def tells_no_pauses(reader: Reader) -> bool:
    """Whether pauses happened and were not logged: each cycle of a concurrent collector has some."""
    return reader.cycles > 0 and reader.pauses == 0


def _seconds(window: str) -> float:
    try:
        return seconds(window)
    except ValueError as error:
        raise Misconfigured(f"window: {error}") from None


def _of_host(host: "Host", span: ReadWindow, read: Callable[[OpenedLog], T]) -> list[ReadLog[T]]:
    read_logs: list[ReadLog[T]] = [ReadLog(None, None, host.absent_brokers())]
    for process in host.running_brokers():
        if process.broker is None:
            why = f"{host.label}: process {process.pid} is a broker and does not tell which: give `broker:` of its host"
            read_logs.append(ReadLog(None, None, [Gap(why, host.keys(process))]))
            continue
        try:
            heap_max = JvmOptions(process.argv).heap_max
            read_logs.append(_read_log(_of_process(host, process, process.broker), span, read, heap_max))
        except CannotLook as failure:
            log = GcLog(broker=process.broker, host=host.name, path="")
            said = f"the GC log of broker {process.broker}: {failure}"
            read_logs.append(ReadLog(log, None, [Gap.of(failure, keys(log), said)]))
    return read_logs


def _of_process(host: "Host", process: JavaProcess, broker: BrokerId) -> GcLog:
    path = JvmOptions(process.argv).gc_log
    if path in ("", "stdout", "stderr"):
        return GcLog(broker=broker, host=host.name, path=path)
    if not path.startswith("/"):
        raise Misconfigured(f"{path} is relative to a folder that the process does not tell: give it an absolute path")
    folder, name = posixpath.split(path)
    there = {posixpath.basename(file.path): file for file in host.files(folder)}
    pattern = re.compile(".*".join(re.escape(part) for part in _PLACEHOLDER.split(name)))
    names = dict.fromkeys(name for base in there if pattern.fullmatch(base) for name in rotated(there, base))
    files = [_log_file(host, there[n]) for n in names]
    return GcLog(broker=broker, host=host.name, path=path, files=files, runs=True)


def _log_file(host: "Host", file: FileInfo) -> LogFile:
    return LogFile(path=file.path, size=file.size, modified=file.modified, last=_tail(host, file))


def _tail(host: "Host", file: FileInfo) -> Callable[[int], BinaryIO]:
    def last(size: int) -> BinaryIO:
        # It grows while we look: of one that is read in full, its first lines must not be lost for that.
        data = host.tail(file.path, size + _GROWTH if size == file.size else size)
        if len(data) < size:
            raise Garbled(f"{host.label}: {file.path} was rotated or cut while it was read: run again")
        return io.BytesIO(data)

    return last
