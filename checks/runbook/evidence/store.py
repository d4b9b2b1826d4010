"""The evidence of runs: one immutable file of canonical JSON lines per environment and run.

    STORE/runs/ENVIRONMENT/YYYY-MM-DD/RUN.jsonl

The first line (`kind: run`) says what was asked, then one line per result (`kind: result`), then one (`kind: manifest`)
that counts the lines before it. Each line carries its link of a chain (runbook.evidence.chain), so that a changed,
dropped, added or reordered line is noticed.
"""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from runbook.evidence.chain import chained
from runbook.evidence.lines import lines_of
from runbook.evidence.store_layout import FACTS, misplaced
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
        _create(file, content, PRIVATE if path.startswith(f"{FACTS}/") else SHARED)
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

SHARED: Final = 0o666
"""The mode of other files, as the umask allows."""


def write_atomically(file: Path, content: bytes, mode: int = SHARED) -> None:
    """Write a file so that readers see all of it or nothing, even after a crash; it takes the place of what is there.

    What a person named may be no regular file: `evidence.named_file` writes that.

    Raises:
        OSError: it could not be written; no half file is left.
    """
    with _written(file, content, mode) as passing:
        passing.replace(file.name)


def _create(file: Path, content: bytes, mode: int) -> None:
    """Write a file that is not there yet, so that readers see all of it or nothing.

    Raises:
        FileExistsError: something is there.
        OSError: it could not be written; no half file is left.
    """
    with _written(file, content, mode) as passing:
        try:
            passing.link(file.name)  # unlike a rename, it replaces nothing
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            if os.path.lexists(file):  # a file system without links: as good as can be
                raise FileExistsError(file) from None
            passing.replace(file.name)


_NO_LINKS: Final = {errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK}
_NO_UNNAMED: Final = {errno.ENOTSUP, errno.EISDIR, errno.EINVAL, errno.ENOENT}
"""What file systems say that know no files without a name, such as NFS (open(2), O_TMPFILE)."""


class _Passing(Struct):
    """A file on its way to its place: where the system can, without a name, so that a killed writer leaves nothing.

    Attributes:
        folder: where it belongs, opened.
        number: of the open file.
        name: in the folder, if it has one.
    """

    folder: int
    number: int
    name: str = ""

    def link(self, name: str) -> None:
        """Give it another name, which nothing has yet."""
        source = self.name or f"/proc/self/fd/{self.number}"
        os.link(source, name, src_dir_fd=self.folder, dst_dir_fd=self.folder)

    def replace(self, name: str) -> None:
        """Give it the name of what may be there, which is gone then."""
        if not self.name:
            passing = _of_nobody(name)
            self.link(passing)
            self.name = passing
        os.replace(self.name, name, src_dir_fd=self.folder, dst_dir_fd=self.folder)
        self.name = ""


@contextmanager
def _written(file: Path, content: bytes, mode: int) -> Iterator[_Passing]:
    """A new file in the folder of the one that is meant, on the disk; in the end the folder is on the disk, too."""
    if file.is_dir():  # "." and "/" have no name that a file could take
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
    file.parent.mkdir(parents=True, exist_ok=True)
    folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        passing = _opened(folder, file.name, mode)
        try:
            with open(passing.number, "wb") as stream:  # noqa: PTH123 - it may have no name
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
                yield passing
        finally:
            if passing.name:
                with suppress(FileNotFoundError):
                    os.unlink(passing.name, dir_fd=folder)
        os.fsync(folder)
    finally:
        os.close(folder)


def _opened(folder: int, name: str, mode: int) -> _Passing:
    """A new file that nobody else has opened: without a name if that is possible."""
    if hasattr(os, "O_TMPFILE") and Path("/proc/self/fd").is_dir():
        try:
            return _Passing(folder, os.open(".", os.O_WRONLY | os.O_TMPFILE, mode, dir_fd=folder))
        except OSError as error:
            if error.errno not in _NO_UNNAMED:
                raise
    passing = _of_nobody(name)
    return _Passing(folder, os.open(passing, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode, dir_fd=folder), passing)


def _of_nobody(name: str) -> str:
    """A name that nobody could put a link at; readers of a store pass it over."""
    return f".{name}.{os.urandom(6).hex()}.part"
