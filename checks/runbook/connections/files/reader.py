"""Files of this machine: only those listed, only regular ones, and no more of each than is needed."""

import fnmatch
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct, structs

from runbook.answers.files import ClientFile
from runbook.answers.gc_logs import GcLog, LogFile, rotated
from runbook.connections._client_files import each_client
from runbook.connections._local_files import last_bytes, names_in, regular, text_of
from runbook.connections._memory import Memory
from runbook.connections.files.settings import FilesEntry, FilesSettings
from runbook.model.errors import CannotLook, Garbled, NotThere
from runbook.model.fact import Gap
from runbook.model.probe import Deadline
from runbook.model.quantity import BrokerId, Bytes

_SETTING = "files"  # what the inventory calls this connection
LARGEST = 1 << 20
"""Bytes of a client's configuration that are read; our judgement, the largest seen have some kilobytes."""

SAMPLE = 1 << 20
"""Bytes of a client's log that are read; our judgement, some thousand lines."""


class LoggingFile(Struct, frozen=True):
    """A file that says how a broker logs."""

    broker: BrokerId
    path: str
    text: str


class Files:
    """What the inventory lists. `memory` keeps what several probes make of the same files."""

    def __init__(self, settings: FilesSettings, clock: Deadline) -> None:
        """Prepare; nothing is opened before the first question."""
        self._settings = settings
        self.clock = clock
        self.memory = Memory()

    def close(self) -> None:
        """Nothing is kept open."""

    def gc_logs(self) -> tuple[list[GcLog], list[Gap]]:
        """Find the GC logs of brokers, with what was rotated from them; a gap for each that is not there."""
        return _logs([entry for entry in self._settings.gc_logs if entry.broker is not None], self.clock)

    def client_gc_logs(self) -> tuple[list[GcLog], list[Gap]]:
        """Find those of clients."""
        return _logs([entry for entry in self._settings.gc_logs if entry.broker is None], self.clock)

    def clients(self) -> tuple[list[ClientFile], list[Gap]]:
        """Read the configuration files listed; a gap for each that can't be read."""
        return each_client(self._settings.clients, partial(_client_files, clock=self.clock))

    def mirror_maker(self) -> tuple[list[ClientFile], list[Gap]]:
        """Read the files of dedicated MirrorMakers; a gap for each that can't be read."""
        files: list[ClientFile] = []
        gaps = []
        for entry in self._settings.mirror_maker:
            try:
                files += _client_files(entry, self.clock)
            except CannotLook as failure:
                gaps.append(Gap.of(failure, says=f"the configuration of MirrorMaker in {entry.name}: {failure}"))
        return files, gaps

    def client_logs(self) -> tuple[dict[str, Callable[[], list[str]]], list[Gap]]:
        """Find the logs of clients.

        Returns:
            By client, what reads the whole lines at the ends of its files, SAMPLE bytes of them together at most; a gap
            for each that is not there.
        """
        readers: dict[str, Callable[[], list[str]]] = {}
        gaps = []
        for entry in self._settings.logs:
            try:
                found = [file for pattern in entry.patterns for file in _files(pattern, self.clock)]
            except CannotLook as failure:
                gaps.append(Gap.of(failure, says=f"the log of client {entry.name}: {failure}"))
                continue
            readers[entry.name] = partial(_last_lines, found, self.clock)
        return readers, gaps

    def broker_logging(self) -> tuple[list[LoggingFile], list[Gap]]:
        """Read the logging configurations of brokers; a gap for each that can't be read."""
        files: list[LoggingFile] = []
        gaps = []
        for entry in self._settings.broker_logging:
            assert entry.broker is not None  # the settings see to that
            try:
                found = _client_files(entry, self.clock)
                files += [LoggingFile(entry.broker, path=file.path, text=file.text) for file in found]
            except CannotLook as failure:
                gaps.append(Gap.of(failure, {"broker": entry.broker}, f"how broker {entry.broker} logs: {failure}"))
        return files, gaps


def _last_lines(paths: Sequence[Path], clock: Deadline) -> list[str]:
    """The whole lines at the ends of files; of many files each gives its share."""
    lines: list[str] = []
    for path in paths:
        size = regular(path, _SETTING, clock).size
        share = min(size, SAMPLE // len(paths))
        with last_bytes(path, size, share, _SETTING, clock) as stream:
            pieces = stream.read(share).decode("utf-8", errors="replace").split("\n")
        lines += pieces[(1 if share < size else 0) : -1]  # the first may be cut, the last is being written
    return lines


def _logs(entries: list[FilesEntry], clock: Deadline) -> tuple[list[GcLog], list[Gap]]:
    logs, gaps = [], []
    for entry in entries:
        log = GcLog(broker=entry.broker, host="", path=", ".join(entry.patterns), client=entry.name)
        try:
            found = [file for pattern in entry.patterns for file in _files(pattern, clock, with_rotated=True)]
            logs.append(structs.replace(log, files=[_log_file(path, clock) for path in found]))
        except CannotLook as failure:
            keys: dict[str, str | int] = {} if entry.broker is None else {"broker": entry.broker}
            gaps.append(Gap.of(failure, keys, f"the GC log of {log.owner}: {failure}"))
    return logs, gaps


def _files(pattern: str, clock: Deadline, *, with_rotated: bool = False) -> list[Path]:
    """The files that a listed path means, by name.

    Raises:
        NotThere: there is none.
        Denied: the folder can't be listed.
    """
    folder, wanted = Path(pattern).parent, Path(pattern).name
    names = names_in(folder, _SETTING, clock)
    named = [name for name in names if fnmatch.fnmatchcase(name, wanted)]
    found = dict.fromkeys(file for name in named for file in (rotated(names, name) if with_rotated else [name]))
    if not found:
        raise NotThere(f"there is no file {pattern}: correct its path under `files:`, or turn the log on")
    return [folder / name for name in found]


def _log_file(path: Path, clock: Deadline) -> LogFile:
    status = regular(path, _SETTING, clock)

    def last(size: int) -> BinaryIO:
        regular(path, _SETTING, clock)
        return last_bytes(path, status.size, size, _SETTING, clock)

    return LogFile(path=str(path), size=Bytes(status.size), modified=status.modified, last=last)


def _client_files(entry: FilesEntry, clock: Deadline) -> list[ClientFile]:
    files = []
    for path in (path for pattern in entry.patterns for path in _files(pattern, clock)):
        if regular(path, _SETTING, clock).size > LARGEST:
            raise Garbled(f"{path} has more than {LARGEST} bytes, too many for a configuration")
        text = text_of(path, _SETTING, clock)
        files.append(ClientFile(name=entry.name, kind=entry.kind, path=str(path), text=text, local=True))
    return files
