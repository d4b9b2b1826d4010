"""Waiting for what comes about within its time, or does not."""

import time
from collections.abc import Callable

PATIENT = 120.0
"""Seconds to wait for what takes a moment: machines may be busy."""
_PAUSE = 0.05  # seconds between two looks, for those who are waited for


def until(reached: Callable[[], bool], within: float = PATIENT) -> bool:
    """Whether it comes about."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        if reached():
            return True
        time.sleep(_PAUSE)
    return False
