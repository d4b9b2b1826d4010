"""Whether others could have written what was found and nobody named: where logins go, and what code is run.

As Ansible does with its configuration in folders that anybody may write, and ssh with its keys.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from runbook.model.errors import UsageError

_ROOT = 0


def require_own(file: Path, named: str = "") -> None:
    """Refuse a file that others may have written: theirs, or one that they may write, or in such a folder.

    Args:
        file: what was found.
        named: how a person names it who trusts it; "" for an inventory.

    Raises:
        UsageError: with how to name it, which is the person's own decision.
    """
    way = named or f"--inventory {file}, or RUNBOOK_INVENTORY={file}"
    for reason in _doubts(file):
        raise UsageError(
            f"{file} was found here, and {reason}: it could send your logins anywhere. If you trust it, name it: {way}"
        )


def require_own_code(folder: Path, found: Iterable[Path]) -> None:
    """Refuse to run code that others may have written, or a file that says what code is run.

    Args:
        folder: where one stands; the folders between it and what was found count, too.
        found: files, and folders with all that is below them.

    Raises:
        UsageError: with what to do.
    """
    for file in found:
        between = [parent for parent in file.parents if folder in parent.parents]
        for path in (file, *between, *(file.rglob("*") if file.is_dir() else ())):
            for reason in _doubts(path):
                raise UsageError(
                    f"{path} was found here, and {reason}: it could run anything as you. "
                    "If you trust it, work on a copy of your own: cp -R makes one"
                )


def _doubts(file: Path) -> Iterator[str]:
    real = file.resolve()
    for path in dict.fromkeys((file, file.parent, real, real.parent)):
        try:
            about = path.stat()
        except OSError:
            continue  # reading it says why
        what = "it" if path in (file, real) else f"its folder {path.resolve()}"
        if about.st_uid not in (_ROOT, os.geteuid()):
            yield f"{what} belongs to {_user(about.st_uid)}"
        elif about.st_mode & stat.S_IWOTH:
            yield f"{what} may be written by anybody (mode {stat.S_IMODE(about.st_mode):04o})"
        elif about.st_mode & stat.S_IWGRP and not _is_private(about.st_gid, about.st_uid):
            yield f"{what} may be written by a group (mode {stat.S_IMODE(about.st_mode):04o})"


def _user(number: int) -> str:
    import pwd  # noqa: PLC0415 - wanted by few commands

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


def _is_private(group: int, owner: int) -> bool:
    """Whether a group is its owner's alone: many systems make one for each user, of the same name."""
    import grp  # noqa: PLC0415 - wanted by few commands
    import pwd  # noqa: PLC0415 - wanted by few commands

    try:
        who, name = grp.getgrgid(group), pwd.getpwuid(owner).pw_name
    except KeyError:
        return False
    return who.gr_name == name and set(who.gr_mem) <= {name}
