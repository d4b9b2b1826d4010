"""Files of this machine: what keeps them from being read, in words, and no waiting for a pipe."""

import os
import stat
from pathlib import Path

from runbook.model.errors import CannotLook, Denied, Garbled, NotThere


def regular(path: Path, setting: str) -> os.stat_result:
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
    return status


def from_os(error: OSError, path: Path, setting: str) -> CannotLook:
    """Say why a file can't be read, and what to do; `setting` is the one of the inventory that names it."""
    if isinstance(error, PermissionError):
        return Denied(f"{path} may not be read: let this user read it (group or ACL), or run as one who may")
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return NotThere(f"{path} is not there: correct its path under `{setting}:`")
    return NotThere(f"{path} can't be read: {(error.strerror or str(error)).lower()}")
