"""Calls of drivers, which may never end, and fill the memory meanwhile: bounded in time, and in what they may hold."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from runbook.model.errors import CannotLook, TimedOut
from runbook.plugins.beside import Beside

T = TypeVar("T")

_EVERY: Final = 0.05
"""Seconds between looks at the memory: less than 100 MB of a fast network."""
_STATM: Final = Path("/proc/self/statm")
_PAGE: Final = 4096
_RESIDENT: Final = 1


class Overflowed(CannotLook):
    """A file system sends more than it should, and goes on: nothing more may be asked of it."""


def within(call: Callable[[], T], seconds: float, most: int) -> T | CannotLook:
    """Call foreign code, which may raise anything, never come back, or take all memory.

    It has so many seconds, and this process may grow by so many bytes meanwhile.
    What was given up goes on in its thread, until the process ends.
    """
    beside = Beside(call, "store")
    before, end = _resident(), time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        came = beside.within(min(left, _EVERY))
        if beside.ended():
            return came
        if _resident() - before > most:
            return Overflowed(f"it sends more than {most >> 20} MiB in one answer, and goes on")
    return TimedOut(f"no answer within {seconds:g} s", seconds)


def _resident() -> int:
    """Bytes of memory in use; 0 where the system does not tell, as on macOS: time alone is bounded there."""
    try:
        return int(_STATM.read_text("ascii").split()[_RESIDENT]) * _PAGE
    except OSError:
        return 0
