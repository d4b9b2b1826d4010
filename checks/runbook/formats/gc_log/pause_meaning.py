"""The words of a pause: its kind, its cause, and whether it found no room."""

import re
from functools import lru_cache
from typing import NamedTuple

_IN_BRACKETS = re.compile(r"\(((?:[^()]|\(\))*)\)")
# What kind of pause it is, not why there was one: of G1, of ZGC, of Shenandoah.
_MODES = frozenset(
    {"Normal", "Mixed", "Prepare Mixed", "Concurrent Start", "Concurrent End", "Major"}
    | {"unload classes", "Young", "Old", "Global", "process weakrefs"}
)
_FAILED = re.compile(r"Evacuation Failure(?:: .*Allocation.*)?")  # a region merely pinned is no lack of room


class PauseMeaning(NamedTuple):
    """Kind and cause of a pause, and whether it found no room."""

    kind: str
    cause: str
    failed: bool


@lru_cache(maxsize=256)  # a JVM has a dozen ways to pause, and says the same words a million times
def meaning(words: str) -> PauseMeaning:
    """Take the words of a pause apart."""
    brackets: list[str] = _IN_BRACKETS.findall(words)
    kind = words.partition(" (")[0].removeprefix("Pause ").lower()
    if kind == "young" and "Mixed" in brackets:
        kind = "mixed"
    causes = [text for text in brackets if text not in _MODES and not text.startswith("Evacuation Failure")]
    failed = any(_FAILED.fullmatch(text) for text in brackets)
    return PauseMeaning(kind=kind, cause=causes[-1] if causes else "", failed=failed)
