"""Releases of a site: each in a folder of its own, and a link `current` that changes at once from one to the next."""

import fcntl
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from runbook.model.errors import UsageError

RELEASES = "releases"
CURRENT = "current"
_LOCK = ".publishing"
_IGNORED = "# Sites that runbook publish built: not for the repository. Delete this file to have them there.\n*\n"
_BUILDING = ".building-"
_NAME = re.compile(r"[0-9]{8}T[0-9]{12}Z")


def release(destination: Path, build: Callable[[Path], None], keep: int) -> Path:
    """Build a site aside, then show it: readers see the old one or the new one, never half of one.

    Args:
        destination: holds `releases/` and the link `current`; made if there is none.
        build: fills the folder that it is given; if it raises, the old site stays.
        keep: how many releases stay, the new one among them. Two or more let readers finish who are in the old one.

    Returns:
        The folder of the release.

    Raises:
        UsageError: the destination holds something else, can't be written, or another process publishes there.
    """
    if keep < 1:
        raise UsageError(f"--keep {keep}: at least the release that is shown stays; give 1 or more")
    _refuse_foreign(destination)
    releases = destination / RELEASES
    try:
        if not releases.is_dir():
            releases.mkdir(parents=True)
            (destination / ".gitignore").write_text(_IGNORED, encoding="utf-8")
        with _alone(destination):
            _remove_leftovers(releases)
            building = releases / f"{_BUILDING}{os.getpid()}"
            building.mkdir()
            try:
                build(building)
                _sync(building)
                finished = releases / f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}Z"
                building.rename(finished)
            finally:
                shutil.rmtree(building, ignore_errors=True)
            _show(destination, finished)
            _prune(destination, keep)
    except OSError as error:
        place = error.filename or destination
        raise UsageError(f"{place} can't be written: {error.strerror}; the site that was there is unchanged") from error
    return finished


def _refuse_foreign(destination: Path) -> None:
    current = destination / CURRENT
    if current.exists() and not current.is_symlink():
        raise UsageError(f"{current} is no link of ours: name a folder that is empty, or that this command made")
    if destination.exists() and not destination.is_dir():
        raise UsageError(f"{destination} is no folder: name one that is empty, or that this command made")
    if destination.is_dir() and any(destination.iterdir()) and not (destination / RELEASES).is_dir():
        raise UsageError(f"{destination} holds something else: name a folder that is empty, or that this command made")


@contextmanager
def _alone(destination: Path) -> Iterator[None]:
    """Let nobody else publish there meanwhile; the lock ends with the process, however that ends."""
    with (destination / _LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"another process publishes to {destination}: wait until it is done") from None
        yield


def _remove_leftovers(releases: Path) -> None:
    """Remove what publishers that were killed left behind; we hold the lock, so none of it is in use."""
    for folder in releases.glob(f"{_BUILDING}*"):
        shutil.rmtree(folder)


def _sync(folder: Path) -> None:
    """Have everything on the disk before anybody is shown to it."""
    for path in (folder, *folder.rglob("*")):
        _sync_entry(path)


def _sync_entry(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _show(destination: Path, finished: Path) -> None:
    link = destination / f".{CURRENT}-{os.getpid()}"
    link.unlink(missing_ok=True)
    link.symlink_to(Path(RELEASES) / finished.name)
    link.replace(destination / CURRENT)
    _sync_entry(destination)


def _prune(destination: Path, keep: int) -> None:
    folders = sorted(folder for folder in (destination / RELEASES).iterdir() if _NAME.fullmatch(folder.name))
    shown = (destination / CURRENT).resolve()
    for folder in folders[:-keep]:
        if folder != shown:
            shutil.rmtree(folder)
