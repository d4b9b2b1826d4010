"""The evidence of runs: one immutable file of canonical JSON lines per environment and run.

    STORE/runs/ENVIRONMENT/YYYY-MM-DD/RUN.jsonl

The first line (`kind: run`) says what was asked, then one line per result (`kind: result`), then one (`kind: manifest`)
that counts the lines before it. Each line carries its link of a chain (runbook.evidence.chain), so that a changed,
dropped, added or reordered line is noticed.
"""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from runbook.evidence.chain import chained
from runbook.evidence.filing import FACTS, misplaced
from runbook.evidence.lines import lines_of
from runbook.model.errors import UsageError
from runbook.model.run import Head, Run


def run_path(environment: str, started_at: str, run: str) -> str:
    """The place of a run's results of one environment, under the store."""
    return f"runs/{environment}/{started_at[:10]}/{run}.jsonl"


class NotKept(UsageError):  # noqa: N818 - reads as a sentence
    """The results could not be written; they are in the report all the same."""


class StoredFile(Struct, frozen=True):
    """A file of a store, or why there is none.

    Attributes:
        path: under the store.
        content: all of it.
        trouble: why it can't be read, or is no whole file; empty if it can and is.
    """

    path: str
    content: bytes = b""
    trouble: str = ""


class Store(Protocol):
    """Where evidence is kept. Files appear whole or not at all, in their places only, and are never replaced."""

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def at_once(self) -> int:
        """How many files may be written at the same time by one process; 1: one after the other."""

    def write(self, path: str, content: bytes) -> None:
        """Keep a file. What is there already, byte for byte, is kept.

        Raises:
            NotKept: it could not be written, has no place in a store, or another file is there; nothing of it shows.
        """

    def sizes(self) -> dict[str, int]:
        """The files there are, with their bytes; half-written ones are none.

        Raises:
            UsageError: it can't be looked at.
        """

    def read(self, wanted: Callable[[str, int], bool]) -> Iterator[StoredFile]:
        """Read the files of which `wanted` says so, given path and bytes.

        Raises:
            UsageError: it can't be looked at.
        """


def keep_run(store: Store, run: Run) -> None:
    """Keep a run's evidence, one file per environment.

    Raises:
        NotKept: a file can't be written; those before it are kept.
    """
    for path, content in run_files(run):
        store.write(path, content)


def write_run(store: Path, run: Run) -> list[Path]:
    """Write a run's evidence into a folder, one file per environment; each appears whole or not at all.

    Returns:
        The files written.

    Raises:
        NotKept: a file can't be written: no space, no rights.
    """
    return [write_into(store, path, content) for path, content in run_files(run)]


def write_into(store: Path, path: str, content: bytes) -> Path:
    """Write a file of a store that is a folder, where there is none yet; give its place.

    Raises:
        NotKept: it can't be written (no space, no rights), has no place in a store, or another file is there.
    """
    refuse_misplaced(path)
    file = store / path
    try:
        _create(file, content, PRIVATE if path.startswith(f"{FACTS}/") else _SHARED)
    except FileExistsError:
        if file.is_symlink() or file.read_bytes() != content:
            raise NotKept(f"{file} {REPLACED}") from None
    except OSError as error:
        raise NotKept(f"{file} could not be written: {error.strerror or error}; nothing of it is kept") from error
    return file


REPLACED: Final = "is there already, and says something else: evidence is never replaced"


def refuse_misplaced(path: str) -> None:
    """Let only paths pass that a run or a snapshot can have: names come out of bundles and inventories of others.

    Raises:
        NotKept: nothing of ours is filed there.
    """
    if reason := misplaced(path):
        raise NotKept(f"{path!r} is no place in a store of results: {reason}; nothing of it is kept")


def refuse_to_remove_evidence(path: str) -> None:
    """Let only facts pass: of all that a store holds, they alone have an end.

    Raises:
        UsageError: something else stands there.
    """
    if misplaced(path) or not path.startswith(f"{FACTS}/"):
        raise UsageError(f"{path!r} is no place of facts: nothing else is ever removed from a store")


def run_files(run: Run) -> Iterator[tuple[str, bytes]]:
    """A run's evidence as files: their places in a store, and their content."""
    heads = {result.environment: Head(result.environment) for result in run.results}
    for head in (heads | {head.environment: head for head in run.heads}).values():
        content = b"".join(line + b"\n" for line in chained(lines_of(run, head)))
        yield run_path(head.environment, run.started_at, run.id), content


PRIVATE: Final = 0o600
"""The mode of files that only their owner reads: facts tell an attacker of a platform where to begin."""

_SHARED: Final = 0o666  # as the umask allows


def write_atomically(file: Path, content: bytes, mode: int = _SHARED) -> None:
    """Write a file so that readers see all of it or nothing, even after a crash.

    Raises:
        OSError: it could not be written; no half file is left.
    """
    with _beside(file, content, mode) as passing:
        passing.replace(file)


def _create(file: Path, content: bytes, mode: int) -> None:
    """Write a file that is not there yet, so that readers see all of it or nothing.

    Raises:
        FileExistsError: something is there.
        OSError: it could not be written; no half file is left.
    """
    with _beside(file, content, mode) as passing:
        try:
            os.link(passing, file)  # unlike a rename, it replaces nothing
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            if os.path.lexists(file):  # a file system without links: as good as can be
                raise FileExistsError(file) from None
            passing.replace(file)


_NO_LINKS: Final = {errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK}


@contextmanager
def _beside(file: Path, content: bytes, mode: int) -> Iterator[Path]:
    """A new file beside the one that is meant, on the disk, gone in the end; then the folder is on the disk, too."""
    if file.is_dir():  # "." and "/" have no name beside which a file could stand
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
    file.parent.mkdir(parents=True, exist_ok=True)
    passing = file.with_name(f".{file.name}.{os.urandom(6).hex()}.part")  # of a name that nobody could put a link at
    try:
        with open(os.open(passing, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:  # noqa: PTH123 - same
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        yield passing
    finally:
        passing.unlink(missing_ok=True)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
