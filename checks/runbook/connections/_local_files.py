"""Files of this machine: what keeps them from being read, in words, and no waiting for a pipe."""

import io
import os
import stat
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from runbook.model.errors import CannotLook, Denied, Garbled, NotThere
from runbook.model.probe import Deadline
from runbook.model.tape import LIVE
from runbook.recording.question import question


class FileStatus(Struct, frozen=True):
    """A regular file: its size in bytes, and when it was last written, in seconds since 1970."""

    size: int
    modified: float


@question("file status")
def regular(path: Path, setting: str, clock: Deadline) -> FileStatus:  # noqa: ARG001 - the clock has the tape
    """The status of a file. Opening a pipe or a device could wait for ever.

    Raises:
        CannotLook: it is not there, may not be seen, or is no regular file.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise from_os(error, path, setting) from None
    if not stat.S_ISREG(status.st_mode):
        raise Garbled(f"{path} is no regular file")
    return FileStatus(status.st_size, status.st_mtime)


@question("file there")
def is_file(path: Path, clock: Deadline) -> bool:  # noqa: ARG001 - same
    """Whether it is there, and a regular file."""
    return path.is_file()


@question("folder")
def names_in(folder: Path, setting: str, clock: Deadline) -> list[str]:  # noqa: ARG001 - same
    """The names in a folder, in order.

    Raises:
        CannotLook: it can't be listed.
    """
    try:
        return sorted(file.name for file in folder.iterdir())
    except OSError as error:
        raise from_os(error, folder, setting) from None


@question("file")
def content(path: Path, setting: str, clock: Deadline) -> bytes:  # noqa: ARG001 - same
    """All that stands in a file, which was looked at by `regular` before.

    Raises:
        CannotLook: it can't be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise from_os(error, path, setting) from None


@question("beginning of a file")
def first_bytes(path: Path, size: int, setting: str, clock: Deadline) -> bytes:  # noqa: ARG001 - same
    """The first bytes of a file, which was looked at by `regular` before.

    Raises:
        CannotLook: it can't be read.
    """
    try:
        with path.open("rb") as stream:
            return stream.read(size)
    except OSError as error:
        raise from_os(error, path, setting) from None


def text_of(path: Path, setting: str, clock: Deadline) -> str:
    """The text of a file, whose lines end as Python's do; see `content`.

    Raises:
        CannotLook: it can't be read.
        Garbled: it is no text in UTF-8.
    """
    return plain_text(path, content(path, setting, clock))


def plain_text(path: Path, held: bytes) -> str:
    """The text that a file holds, whose lines end as Python's do.

    Raises:
        Garbled: it is no text in UTF-8.
    """
    try:
        text = held.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Garbled(f"{path} is no text in UTF-8") from None
    return io.StringIO(text, newline=None).read()


def last_bytes(path: Path, written: int, size: int, setting: str, clock: Deadline) -> BinaryIO:
    """Open the last bytes of what was written when the file was found; what was written since follows them.

    Raises:
        CannotLook: it can't be read, or was cut since.
    """
    if clock.tape is LIVE:
        return _opened(path, written, size, setting)
    return io.BytesIO(_read(path, written, size, setting, clock))


@question("end of a file")
def _read(path: Path, written: int, size: int, setting: str, clock: Deadline) -> bytes:  # noqa: ARG001 - same
    with _opened(path, written, size, setting) as stream:
        return stream.read(size)


def _opened(path: Path, written: int, size: int, setting: str) -> BinaryIO:
    try:
        stream = path.open("rb")
    except OSError as error:
        raise from_os(error, path, setting) from None
    there = os.fstat(stream.fileno()).st_size
    if there < written:
        stream.close()
        raise Garbled(f"{path} was rotated or cut while it was read: run again")
    stream.seek(written - size)
    return stream


def from_os(error: OSError, path: Path, setting: str) -> CannotLook:
    """Say why a file can't be read, and what to do; `setting` is the one of the inventory that names it."""
    if isinstance(error, PermissionError):
        return Denied(f"{path} may not be read: let this user read it (group or ACL), or run as one who may")
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return NotThere(f"{path} is not there: correct its path under `{setting}:`")
    return NotThere(f"{path} can't be read: {(error.strerror or str(error)).lower()}")
