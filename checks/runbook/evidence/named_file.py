"""A file that a person named for a report, a bundle or a picture: replaced as a whole, or written into.

A regular file, or none, gives way to a whole new one. A device or a pipe is written into, never replaced: as root, a
rename would put a file in the place of `/dev/null`. A link of one's own leads to the file that is meant, and stays.
"""

import errno
import os
import stat
from pathlib import Path
from typing import Final

from runbook.evidence.store import SHARED, write_atomically

_ROOT: Final = 0
_MOST_LINKS: Final = 40
"""Links that lead to links: as many as Linux follows (path_resolution(7))."""
_DESCRIPTORS: Final = "/proc/"
"""Where a link is an open file of this process, such as `/dev/stdout`: another file in its place would not be it."""


def write_named(file: Path, content: bytes, mode: int = SHARED) -> None:
    """Write a file as a whole, or into the device, pipe or open file that has this name.

    Args:
        file: as it was named.
        content: all of it.
        mode: of a new file.

    Raises:
        OSError: it could not be written, is a disk, or is a link that somebody else made.
    """
    meant = _followed(file)
    if meant is None or _is_written_into(meant):
        with open(os.open(file if meant is None else meant, os.O_WRONLY | os.O_APPEND), "wb") as stream:  # noqa: PTH123 - nothing is made or emptied
            stream.write(content)
    else:
        write_atomically(meant, content, mode)


def _followed(file: Path) -> Path | None:
    """The file that a name leads to; None: it is an open file of this process.

    Raises:
        OSError: it goes round in a ring, or over a link that somebody else made, as in a folder that anybody may write.
    """
    for _ in range(_MOST_LINKS):
        try:
            about = file.lstat()
        except FileNotFoundError:
            return file
        if not stat.S_ISLNK(about.st_mode):
            return file
        if str(file.parent.resolve()).startswith(_DESCRIPTORS):
            return None
        if about.st_uid not in (_ROOT, os.geteuid()):
            raise OSError(errno.EPERM, f"{file} is a link made by another user: name the file it leads to", str(file))
        file = file.parent / file.readlink()
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(file))


def _is_written_into(file: Path) -> bool:
    try:
        kind = file.stat().st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISBLK(kind):
        raise OSError(errno.EPERM, "it is a disk, or a part of one", str(file))
    return not stat.S_ISREG(kind) and not stat.S_ISDIR(kind)
