"""Bring evidence from one store into another: whole, unchanged files only, and each only once."""

from collections.abc import Callable

from msgspec import Struct, field

from runbook.evidence.filing import fault_of
from runbook.evidence.store import Store, StoredFile


class Landed(Struct):
    """What came of it.

    Attributes:
        written: the files that are there now and were not before.
        present: how many were there already.
        left: what was not brought over, and why: incomplete, changed, or filed wrongly.
    """

    written: list[str] = field(default_factory=list)
    present: int = 0
    left: list[tuple[str, str]] = field(default_factory=list)


def land(source: Store, target: Store, progress: Callable[[Landed], None] = lambda _: None) -> Landed:
    """Copy what the target lacks; a second time, nothing is left to do.

    Raises:
        UsageError: a store can't be looked at.
        NotKept: the target can't be written; what landed before stays.
    """
    there = target.sizes()
    landed = Landed()

    def lacking(path: str, size: int) -> bool:
        if there.get(path) != size:
            return True
        landed.present += 1
        return False

    for found in source.read(lacking):
        if reason := _refusal(found, there):
            landed.left.append((found.path, reason))
        else:
            target.write(found.path, found.content)
            there[found.path] = len(found.content)
            landed.written.append(found.path)
        progress(landed)
    return landed


def _refusal(found: StoredFile, there: dict[str, int]) -> str:
    """Why a file is not brought over, or ""."""
    if found.trouble:
        return found.trouble
    if fault := fault_of(found.path, found.content):
        return str(fault)
    if found.path in there:
        return f"the target has another file there, of {there[found.path]} bytes: verify it"
    return ""
