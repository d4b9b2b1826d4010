"""What was made of a text once and is wanted again: data, kept by the digest of all that it was made of.

What a wheel ships was made when it was built. The rest is kept in the user's cache, and is believed only where nobody
else could have written it: a folder and a regular file of the user's own, which no other may write, reached by no link,
and whole. Whatever is wrong with it, it is made anew; nothing is ever unpickled.
"""

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from runbook.folders import cache_folder
from runbook.plugins import debugging
from runbook.plugins.catalog import PACKAGE

SHIPPED: Final = PACKAGE / "content" / "kept"
"""Where a wheel has what was made when it was built."""

_LARGEST: Final = 16_000_000  # bytes; our judgement: the largest of ours has a hundredth of it
_MOST: Final = 400  # files; our judgement: three for each runbook of ours, and as many for a hundred of one's own
_SEAL: Final = hashlib.sha256().digest_size


def name_of(kind: str, rooms: Sequence[str], *made_of: str) -> str:
    """The name under which something is kept; "" where it can't be, as the code that makes it can't be read.

    Args:
        kind: of thing.
        rooms: of this package, whose code decides what is made.
        made_of: texts that it is made of.
    """
    code = _code(tuple(rooms))
    digest = hashlib.sha256("\0".join((kind, code, *made_of)).encode()).hexdigest()
    return f"{digest}.{kind}" if code else ""


@cache
def _code(rooms: tuple[str, ...]) -> str:
    """The digest of the code of rooms; "" where it can't be read."""
    digest = hashlib.sha256()
    for room in rooms:
        files = sorted((PACKAGE / room).glob("*.py"))
        if not files:
            return ""
        for file in files:
            try:
                text = file.read_bytes()
            except OSError:
                return ""
            digest.update(f"{room}/{file.name} {len(text)} ".encode() + text)
    return digest.hexdigest()


def kept(name: str) -> bytes | None:
    """What is kept under a name; None where nothing is, or it can't be trusted."""
    if not name:
        return None
    for read in (_shipped, _of_user):
        try:
            found = read(name)
        except (OSError, RuntimeError):  # the latter: there is no home folder
            continue
        if found is None:
            continue
        if (data := found[_SEAL:]) and found[:_SEAL] == _seal(name, data):
            return data
        debugging.say(f"not used, as it is not whole: {name}")
    return None


def keep(name: str, data: bytes) -> None:
    """Keep data under a name in the user's cache, if that can be done."""
    if not name or len(data) > _LARGEST - _SEAL:
        return
    try:
        _folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        with _own_folder() as folder:
            if folder is not None:
                _write(folder, name, sealed(name, data))
                _prune(folder)
    except (OSError, RuntimeError) as error:
        debugging.say(f"not kept: {name}: {error}")


def sealed(name: str, data: bytes) -> bytes:
    """The content of the file that keeps data under a name."""
    return _seal(name, data) + data


def _seal(name: str, data: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + data).digest()


def _folder() -> Path:
    return cache_folder() / "kept"


def _shipped(name: str) -> bytes | None:
    file = SHIPPED / name
    return file.read_bytes() if file.is_file() else None


def _of_user(name: str) -> bytes | None:
    with _own_folder() as folder:
        if folder is None:
            return None
        # One that waits for a writer, as a pipe does, is opened at once, and refused.
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        with os.fdopen(file, "rb") as stream:
            about = os.fstat(file)
            if not stat.S_ISREG(about.st_mode) or about.st_nlink != 1 or not _is_ours(about):
                debugging.say(f"not used, as others may have written it: {name}")
                return None
            return stream.read(_LARGEST)


@contextlib.contextmanager
def _own_folder() -> Iterator[int | None]:
    """The folder of what is kept, opened; None where others may write into it."""
    folder = os.open(_folder(), os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        ours = _is_ours(os.fstat(folder))
        if not ours:
            debugging.say(f"not used, as others may write into it: {_folder()}")
        yield folder if ours else None
    finally:
        os.close(folder)


def _is_ours(about: os.stat_result) -> bool:
    return about.st_uid == os.geteuid() and not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _write(folder: int, name: str, data: bytes) -> None:
    """Write a file as a whole: who reads it meanwhile has the one that was there, or this one."""
    beside = f".{os.getpid()}.{name}"
    file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder)
    try:
        with os.fdopen(file, "wb") as stream:
            stream.write(data)
        os.replace(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        os.unlink(beside, dir_fd=folder)
        raise


def _prune(folder: int) -> None:
    """Take away the oldest of more files than are ever wanted."""
    names = os.listdir(folder)
    if len(names) > _MOST:
        names.sort(key=lambda name: os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime)
        for name in names[: len(names) - _MOST]:
            os.unlink(name, dir_fd=folder)
