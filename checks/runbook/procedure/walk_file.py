"""Records of walks on disk: each entry is on the disk before what follows from it happens."""

import fcntl
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from runbook.evidence.chain import START
from runbook.evidence.store import PRIVATE
from runbook.model.errors import UsageError
from runbook.procedure.walk_record import NAMES, Begun, Entry, NoRecord, Record, lines_of, read_record
from runbook.run.sources.secret_references import redaction_here
from runbook.safety.redaction import Redaction
from runbook.safety.secret import HIDDEN

SUFFIX = ".jsonl"
LARGEST = 64 * 2**20  # bytes; a gate leaves some kilobytes, so that this is no record of a walk


def walks_home() -> Path:
    """The folder of records where none is named: `runbook/walks` in the user's state folder (XDG)."""
    given = os.environ.get("XDG_STATE_HOME", "")
    state = Path(given) if Path(given).is_absolute() else Path.home() / ".local/state"
    return state / "runbook" / "walks"


class WalkFile:
    """A record that is added to. One process at a time has it; a crash costs the line that was being written."""

    def __init__(self, path: Path, descriptor: int, walk: str, record: Record | None) -> None:
        """Go on after what the file holds; see `begin` and `reopen`."""
        self.path = path
        self._descriptor = descriptor
        self._walk = walk
        self._link = record.link if record else START
        self._lines = len(record.entries) if record else 0

    @classmethod
    def begin(cls, path: Path, walk: str) -> Self:
        """Make a new record.

        Raises:
            UsageError: it can't be made, or there is one.
        """
        if path.exists():
            raise UsageError(f"{path} exists: name another file, or go on with it: --resume {path}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, PRIVATE)
        except OSError as error:
            raise UsageError(f"{path} can't be made: {error.strerror}; --record names another place") from error
        _hold(descriptor, path)
        _sync_folder(path.parent)
        return cls(path, descriptor, walk, None)

    @classmethod
    def reopen(cls, path: Path) -> tuple[Self, Record]:
        """Open a record to go on with it; what a crash left half written is removed.

        Raises:
            UsageError: it can't be opened, is no record, was changed, or somebody else has it.
        """
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND)
        except OSError as error:
            raise UsageError(f"{path} can't be opened: {error.strerror}") from error
        _hold(descriptor, path)
        record = load(path)
        if record.fault is not None:
            os.close(descriptor)
            raise UsageError(
                f"{path} is not as it was written: {record.fault}. Nothing is added to it; walk the procedure anew"
            )
        if record.cut:
            os.truncate(descriptor, path.stat().st_size - record.cut)
        return cls(path, descriptor, record.begun.walk, record), record

    def append(self, entry: Entry) -> None:
        """Add an entry, without secrets; it is on the disk when this returns.

        Raises:
            UsageError: it could not be written; what is there stays.
        """
        redaction = redaction_here() or Redaction([])
        plain: dict[str, Any] = msgspec.to_builtins(redaction.record(entry, NAMES))
        text, after = lines_of(plain, self._walk, self._link, self._lines)
        # An interrupt between writing a line and knowing that it is written would break the chain at the next one.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
        try:
            _write(self._descriptor, text)
            os.fsync(self._descriptor)
            self._link = after
            self._lines += 1
        except OSError as error:
            raise UsageError(
                f"{self.path} can't be written: {error.strerror}; make room, then go on: --resume {self.path}"
            ) from error
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def __enter__(self) -> Self:
        """Have it until the end of the block."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Let it go."""
        os.close(self._descriptor)


def load(path: Path) -> Record:
    """Read a record.

    Raises:
        UsageError: it can't be read, or is none.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise UsageError(f"{path} is larger than {LARGEST:,} bytes: no record of a walk is")
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}") from error
    return record_in(content, path)


def record_in(content: bytes, path: Path) -> Record:
    """The record in the content of a file, which messages call by its path.

    Raises:
        UsageError: it is none.
    """
    try:
        return read_record(content)
    except NoRecord as error:
        raise UsageError(f"{path} is no record of a walk: {error}") from error


def kept(folder: Path, since: float = 0) -> Iterator[tuple[Path, Record]]:
    """The records of a folder, the newest first; files that are none are left out.

    Args:
        folder: where they are.
        since: seconds of the epoch; files that were not written to since then are left out, unread.
    """
    for path in sorted(folder.glob(f"*{SUFFIX}"), reverse=True):
        if since and path.stat().st_mtime < since:
            continue
        try:
            record = load(path)
        except UsageError:
            continue
        yield path, record


def find(word: str, folder: Path) -> Path:
    """The record that a word means: a file, or the id of a walk in the folder, or its beginning.

    Raises:
        UsageError: it means none, or several.
    """
    if Path(word).is_file():
        return Path(word)
    found = [path for path, record in kept(folder) if record.begun.walk.startswith(word)] if word else []
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{word} begins the ids of {len(found)} walks in {folder}: write more of it")
    if "#" in word:
        raise UsageError(f"{word} is a procedure; here a walk through one is named: runbook show {word}")
    shown = "\n    what a procedure says: runbook show RUNBOOK#ID; to walk it: runbook procedure walk RUNBOOK#ID"
    raise UsageError(f"no walk {word} in {folder}, nor a file of that name; see: runbook procedure walks{shown}")


def begun_as(record: Record, procedure_digest: str, title: str) -> Begun:
    """The head of a record that goes on through the same procedure.

    Raises:
        UsageError: the procedure, or what its title says that it achieves, has changed since.
    """
    begun = record.begun
    # The title is no part of the digest, as no verdict rests on it; one that had to be hidden in part tells nothing.
    renamed = HIDDEN not in begun.title and begun.title != title
    if renamed or begun.procedure_digest != procedure_digest:
        was = f'; its title was "{begun.title}"' if renamed else ""
        raise UsageError(
            f"{begun.procedure} has changed since {begun.at}, when this walk began ({begun.runbook} "
            f"{begun.runbook_version}){was}: go on with the runbook of then, or walk it anew"
        )
    return begun


def _write(descriptor: int, text: bytes) -> None:
    while text:
        text = text[os.write(descriptor, text) :]


def _hold(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(descriptor)
        raise UsageError(f"{path} is being walked by another process: go on there, or end that one first") from error


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
