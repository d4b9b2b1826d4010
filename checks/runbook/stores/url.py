"""Results on any file system that fsspec has a driver for: s3://, gs://, abfs://, webhdfs://, sftp:// and more.

Credentials and settings are that driver's own: its environment variables and files, and fsspec's configuration
(FSSPEC_<SCHEME>_<SETTING>, or a file in ~/.config/fsspec). None is ever read or kept here.
"""

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from msgspec import Struct

from runbook.evidence.reading import LARGEST
from runbook.evidence.store import REPLACED, NotKept, StoredFile, refuse_misplaced, refuse_to_remove_evidence
from runbook.evidence.store_layout import EXPECTED, FACTS, RUNS, is_evidence, misplaced, strange
from runbook.model.errors import CannotLook, UsageError
from runbook.stores._bounds import Overflowed, within
from runbook.stores._drivers import open_driver

SCHEMES: Final = ("*",)

T = TypeVar("T")

_AT_ONCE = 32  # files asked for together: drivers of object stores fetch them side by side; our judgement
_MOST_LISTED = 1 << 30  # bytes of memory for one answer: a listing of a million files takes as much. Our judgement
_MOST_READ = 4 * LARGEST  # bytes of memory for files that are read together: drivers hold some of them twice
_FILE = "file"  # what drivers call one
_PATIENCE = 60.0  # seconds for one answer; drivers such as webhdfs wait for ever on a server that is silent

# Drivers that may be used by several threads: those of object stores, and webhdfs, which sends each request by itself.
# As many as it keeps connections open, and as a NameNode answers requests at once where nothing is set (10 each).
_SIDE_BY_SIDE: Final = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "webhdfs"}
_WRITTEN_AT_ONCE: Final = 10

# Object stores have no folders; "making" one there may create a bucket that was only misspelt.
_WITHOUT_FOLDERS: Final = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oss", "oci", "tos"}


class Remote:
    """A folder of a remote file system. Several processes may write into it at once."""

    def __init__(self, where: str) -> None:
        """Use what is at this address; nothing is asked yet.

        Raises:
            UsageError: there is no driver for it, or it holds a password.
        """
        parts = urlsplit(where)
        if parts.password:
            shown = where.replace(f":{parts.password}@", ":…@")
            raise UsageError(f"{shown} holds a password: give it to the driver by its own configuration or environment")
        self.name = where.rstrip("/")
        self._scheme = parts.scheme
        self.at_once = _WRITTEN_AT_ONCE if parts.scheme in _SIDE_BY_SIDE else 1
        self._files, self._root = open_driver(where, parts.scheme, _within_patience)
        self._folders: set[str] = set()

    def write(self, path: str, content: bytes) -> None:
        """Keep a file: written under another name, then moved to its place.

        Raises:
            NotKept: the file system refused, or did not answer.
        """
        refuse_misplaced(path)
        made = _within_patience(partial(self._put, f"{self._root}/{path}", content))
        if isinstance(made, CannotLook):
            raise NotKept(f"{self.name}/{path} could not be written: {made}; nothing of it is kept")

    def sizes(self) -> dict[str, int]:
        """The files there are, with their bytes.

        Raises:
            UsageError: the file system refused, or did not answer.
        """
        return {path: entry.size for path, entry in self._evidence().items()}

    def read(self, wanted: Callable[[str, int], bool]) -> Iterator[StoredFile]:
        """Read the wanted files, in the order of their paths.

        Raises:
            UsageError: it can't be listed. A file that can't be read is named as such.
        """
        entries = {path: entry for path, entry in self._evidence().items() if wanted(path, entry.size)}
        for some in _portions(entries):
            fetched = {path: entry.size for path, entry in some.items() if not entry.trouble()}
            got = within(partial(self._fetch, fetched), _PATIENCE, _MOST_READ)
            if isinstance(got, Overflowed):
                raise UsageError(f"{self.name} can't be read: {got}; one of {', '.join(fetched)}")
            for path, entry in some.items():
                if trouble := entry.trouble():
                    yield StoredFile(path, trouble=f"it can't be read: {trouble}")
                elif isinstance(got, CannotLook):
                    yield StoredFile(path, trouble=f"it can't be read: {got}")
                else:
                    yield _stored(path, entry.size, got[path])

    def facts(self) -> list[str]:
        """Where facts are kept.

        Raises:
            UsageError: the file system refused, or did not answer.
        """
        listed = self._answered(partial(self._list, f"{self._root}/{FACTS}"), "can't be looked at")
        return sorted(one for path in listed if not misplaced(one := self._below(path)))

    def fetch(self, path: str) -> bytes:
        """The facts that are kept there.

        Raises:
            UsageError: the file system refused, or did not answer.
        """
        return bytes(self._answered(partial(self._files.cat_file, f"{self._root}/{path}"), f"keeps {path}, unreadable"))

    def forget(self, path: str) -> None:
        """Remove the facts that are kept there.

        Raises:
            UsageError: the file system refused, or did not answer.
        """
        refuse_to_remove_evidence(path)
        self._answered(partial(self._files.rm_file, f"{self._root}/{path}"), f"keeps {path}, which can't be removed")

    def _answered(self, call: Callable[[], T], trouble: str) -> T:
        answer = _within_patience(call)
        if isinstance(answer, CannotLook):
            raise UsageError(f"{self.name} {trouble}: {answer}")
        return answer

    def _evidence(self) -> "dict[str, _Entry]":
        """What stands where evidence does, in the order of the paths."""
        found: dict[str, _Entry] = {}
        for part in (RUNS, EXPECTED):
            listed = self._answered(partial(self._list, f"{self._root}/{part}"), "can't be looked at")
            found |= {self._below(path): entry for path, entry in listed.items()}
        return {path: entry for path, entry in sorted(found.items()) if is_evidence(path)}

    def _below(self, path: str) -> str:
        """Where a listed path stands in the store.

        Raises:
            UsageError: the file system listed what is not in the folder that was asked for.
        """
        before, root, below = path.partition(f"{self._root}/")
        if not root:
            raise UsageError(f"{self.name} can't be looked at: it lists {before!r}, which is not below {self._root}")
        return below

    def _put(self, place: str, content: bytes) -> None:
        folder, _, name = place.rpartition("/")
        passing = f"{folder}/.{name}.{os.getpid()}.part"
        if self._scheme not in _WITHOUT_FOLDERS and folder not in self._folders:
            self._files.makedirs(folder, exist_ok=True)
            self._folders.add(folder)
        if self._files.exists(place):
            if self._files.cat_file(place) != content:
                raise FileExistsError(f"it {REPLACED}")
            return
        try:
            self._files.pipe_file(passing, content)
            self._files.mv(passing, place)
            if self._files.size(place) != len(content):
                raise OSError("what stands there afterwards is not what was written")
        finally:
            self._files.invalidate_cache()
            if self._files.exists(passing):
                self._files.rm_file(passing)

    def _list(self, folder: str) -> "dict[str, _Entry]":
        self._files.invalidate_cache()
        try:
            if self._scheme in _WITHOUT_FOLDERS:
                found = dict(self._files.find(folder, detail=True))
            else:  # find() passes over folders it can't list, as if nothing were there
                walked = self._files.walk(folder, detail=True, on_error="raise")
                found = {entry["name"]: entry for _, _, files in walked for entry in files.values()}
        except FileNotFoundError:
            return {}
        return {
            str(path): _Entry(int(entry["size"]), str(entry.get("type", _FILE)), int(entry.get("mode") or 0))
            for path, entry in found.items()
        }

    def _fetch(self, sizes: Mapping[str, int]) -> dict[str, Any]:
        """Content, or what the driver raised, by path: no more than a byte above what was listed."""
        places, ends = [f"{self._root}/{path}" for path in sizes], [size + 1 for size in sizes.values()]
        got = self._files.cat_ranges(places, [0] * len(places), ends, on_error="return")
        return dict(zip(sizes, got, strict=True))


class _Entry(Struct, frozen=True):
    """What was listed of a file.

    Attributes:
        size: its bytes.
        kind: what the driver calls it: `file` is one.
        mode: as `st_mode`; 0 where the file system has none.
    """

    size: int
    kind: str
    mode: int

    def trouble(self) -> str:
        """Why it is not read, or ""."""
        if self.kind != _FILE or (self.mode and not stat.S_ISREG(self.mode)):
            return f"it is {strange(self.mode) if self.mode else f'a {self.kind}, which no run leaves: not read'}"
        if self.size > LARGEST:
            return f"it has {self.size} bytes, more than any run leaves: not read"
        return ""


def _portions(entries: Mapping[str, _Entry]) -> Iterator[dict[str, _Entry]]:
    """What is asked for together: some files, and not more bytes than the largest may have."""
    some: dict[str, _Entry] = {}
    held = 0
    for path, entry in entries.items():
        takes = 0 if entry.trouble() else entry.size
        if some and (len(some) == _AT_ONCE or held + takes > LARGEST):
            yield some
            some, held = {}, 0
        some[path] = entry
        held += takes
    if some:
        yield some


def _stored(path: str, size: int, content: Any) -> StoredFile:
    """A file as it came, if it is as long as was listed."""
    if not isinstance(content, bytes):
        return StoredFile(path, trouble=f"it can't be read: {content}")
    if len(content) != size:
        came = f"{len(content)} came" if len(content) < size else "more came"
        return StoredFile(path, trouble=f"it was listed with {size} bytes, and {came}: files of a store never change")
    return StoredFile(path, content)


def open_store(where: str, settings: Mapping[str, Any]) -> Remote:
    """Prepare a store on a remote file system.

    Raises:
        UsageError: there is no driver for it, or it was given settings.
    """
    if settings:
        raise UsageError(
            f"{where} takes no settings of the inventory: configure fsspec's driver instead, "
            "by its environment variables or in ~/.config/fsspec"
        )
    return Remote(where)


def _within_patience(call: Callable[[], T]) -> T | CannotLook:
    return within(call, _PATIENCE, _MOST_LISTED)
