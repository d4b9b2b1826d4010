"""The GC log of a JVM: which files it is in, and how they become lines in order; here and on hosts alike."""

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO, Protocol, runtime_checkable

from msgspec import Struct

from runbook.formats.gc_log import LogPart, Moment, Reader
from runbook.model.errors import Garbled
from runbook.model.fact import Gap
from runbook.model.quantity import BrokerId, Bytes

_PEEK = 1 << 14
"""Bytes at either end in which a line that says when it was written is looked for; our judgement: 100 lines or so."""

_PACKED = (".gz", ".xz", ".zip", ".bz2")


class LogFile(Struct, frozen=True):
    """One file of a log.

    Attributes:
        path: where it is.
        size: bytes.
        modified: when it was last written, seconds since 1970, by the clock of its machine.
        dated: whether that is when its last line was written; else it is later.
        last: opens a stream over its last bytes, so many of those it had; what was written since may follow.
    """

    path: str
    size: Bytes
    modified: float
    last: Callable[[int], BinaryIO]
    dated: bool = True


class GcLog(Struct, frozen=True):
    """The GC log of one JVM.

    Attributes:
        broker: node id; None for a client's.
        host: the host it runs on; empty for files on this machine.
        path: where it is written; empty if the JVM logs no garbage collection.
        files: the log, and what was rotated from it, in any order.
        client: name of the client; empty for a broker's.
        runs: whether its JVM was seen to run in this run.
    """

    broker: BrokerId | None
    host: str
    path: str
    files: Sequence[LogFile] = ()
    client: str = ""
    runs: bool = False

    @property
    def owner(self) -> str:
        """How sentences name whose log it is."""
        return f"client {self.client}" if self.broker is None else f"broker {self.broker}"


@runtime_checkable
class FindsGcLogs(Protocol):
    """What finds GC logs by itself: files here, and the logs of pods. On hosts, commands find them."""

    def gc_logs(self) -> tuple[list[GcLog], list[Gap]]:
        """The GC logs of brokers, and a gap for each that is not there."""


class Opened(Struct):
    """The files of a log, in the order in which they were written.

    Attributes:
        parts: their lines; a file is opened when its lines are read.
        from_before: whether what was written before the moment asked for was left out, and nothing else.
    """

    parts: list[LogPart]
    from_before: bool


class _Chosen(Struct):
    """A file that is to be read, `size` bytes from its end, with the moments of its first and last line there."""

    file: LogFile
    size: int
    first: Moment
    last: Moment


def rotated(names: Iterable[str], name: str) -> list[str]:
    """Of the names in a folder, those of a log and of what a JVM rotated from it: NAME.0, NAME.1, NAME.0.current."""
    return [n for n in names if n == name or (n.startswith(f"{name}.") and not n.endswith(_PACKED))]


def open_log(log: GcLog, since: float, budget: int) -> Opened:
    """Choose what of a log to read: files written to after a moment, and of too many bytes the newest.

    A JVM numbers rotated files in a ring, so their order is that of their times.

    Args:
        log: which one.
        since: seconds since 1970.
        budget: bytes to read at most.

    Raises:
        CannotLook: a file can't be read, or their times contradict each other where they decide what is left out.
    """
    newest_first = sorted(log.files, key=lambda file: file.modified, reverse=True)
    recent = [file for file in newest_first if file.modified >= since or file is newest_first[0]]
    chosen, left = [], budget
    for file in recent:
        if file.size and left:
            chosen.append(_choose(file, min(file.size, left)))
            left -= chosen[-1].size
    cut = sum(part.size for part in chosen) < sum(file.size for file in recent)
    in_order = sorted(chosen, key=_begins)
    if cut and in_order != chosen[::-1]:
        raise Garbled(
            f"the files of {log.path} were written in another order than their dates say: copy them with dates"
        )
    parts = [LogPart(_lines(part.file, part.size), _boot(part)) for part in in_order]
    return Opened(parts, from_before=len(recent) < len(log.files) and not cut)


def _choose(file: LogFile, size: int) -> _Chosen:
    with file.last(size) as stream:
        head = stream.read(_PEEK)
        stream.seek(-min(size, _PEEK), io.SEEK_END)
        tail = stream.read(_PEEK)
    return _Chosen(file=file, size=size, first=_seen(head).first, last=_seen(tail).last)


def _seen(text: bytes) -> Reader:
    reader = Reader()
    for _ in reader.events([LogPart(text.decode("latin-1").splitlines())]):
        pass
    return reader


def _begins(chosen: _Chosen) -> float:
    """When its first line was written, or what comes closest to knowing."""
    if chosen.first.wall is not None:
        return chosen.first.wall
    boot = _boot(chosen)
    return chosen.file.modified if boot is None or chosen.first.uptime is None else boot + chosen.first.uptime


def _boot(chosen: _Chosen) -> float | None:
    """When the JVM started, of a log that tells uptimes only: its last line was written when the file was."""
    if chosen.last.wall is not None or chosen.last.uptime is None or not chosen.file.dated:
        return None
    return chosen.file.modified - chosen.last.uptime


def _lines(file: LogFile, size: int) -> Iterator[str]:
    # GC logs are ASCII; in Latin-1 garbage has characters too, and can be counted.
    with io.TextIOWrapper(file.last(size), encoding="latin-1", newline="\n") as text:
        yield from text
