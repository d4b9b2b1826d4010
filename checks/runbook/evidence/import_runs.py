"""Bring evidence from one store into another: whole, unchanged files only, and each only once."""

import threading
from collections import deque
from collections.abc import Callable

from msgspec import Struct, field

from runbook.evidence.store import NotKept, Store, StoredFile
from runbook.evidence.store_layout import fault_of
from runbook.plugins.beside import Beside


class ImportedRuns(Struct):
    """What came of it.

    Attributes:
        written: the files that are there now and were not before.
        present: how many were there already.
        left: what was not brought over, and why: incomplete, changed, or filed wrongly.
    """

    written: list[str] = field(default_factory=list)
    present: int = 0
    left: list[tuple[str, str]] = field(default_factory=list)


def import_runs(
    source: Store, target: Store, progress: Callable[[ImportedRuns], None] = lambda _: None
) -> ImportedRuns:
    """Copy what the target lacks, as many files at once as it takes; a second time, nothing is left to do.

    Raises:
        UsageError: a store can't be looked at.
        NotKept: the target can't be written; what landed before stays.
    """
    there = target.sizes()
    landed = ImportedRuns()
    under_way: deque[_Writing] = deque()

    def lacking(path: str, size: int) -> bool:
        if there.get(path) != size:
            return True
        landed.present += 1
        return False

    def first_ends() -> None:
        landed.written.append(under_way.popleft().ended())

    try:
        for found in source.read(lacking):
            if reason := _refusal(found, there):
                landed.left.append((found.path, reason))
            else:
                there[found.path] = len(found.content)
                under_way.append(_Writing(target, found))
                if len(under_way) >= target.at_once:
                    first_ends()
            progress(landed)
        while under_way:
            first_ends()
            progress(landed)
    finally:
        for writing in under_way:  # none is left half written
            writing.wait()
    return landed


class _Writing:
    """A file that is on its way into a store."""

    def __init__(self, target: Store, found: StoredFile) -> None:
        """Begin to write it."""
        self._path = found.path
        self._under_way = Beside(lambda: _kept(target, found), "landing")

    def ended(self) -> str:
        """Wait until the store has it, or says no, which it does in bounded time; give its path.

        Raises:
            NotKept: it could not be written.
        """
        if (outcome := self.wait()) is not None:
            raise outcome
        return self._path

    def wait(self) -> Exception | None:
        """Wait for it, and say why it was not written, if it was not."""
        return self._under_way.within(threading.TIMEOUT_MAX)


def _kept(target: Store, found: StoredFile) -> NotKept | None:
    """Write a file; why it could not be, if it could not."""
    try:
        target.write(found.path, found.content)
    except NotKept as error:
        return error
    return None


def _refusal(found: StoredFile, there: dict[str, int]) -> str:
    """Why a file is not brought over, or ""."""
    if found.trouble:
        return found.trouble
    if fault := fault_of(found.path, found.content):
        return str(fault)
    if found.path in there:
        return f"the target has another file there, of {there[found.path]} bytes: verify it"
    return ""
