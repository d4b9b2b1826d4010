"""A call beside the work, in a thread of its own: it may raise anything, or never come back."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from runbook.model.errors import CannotLook, TimedOut
from runbook.plugins.guard import attempt

T = TypeVar("T")


class Beside(Generic[T]):
    """What comes of a call that is under way; whoever ends does not wait for it."""

    def __init__(self, call: Callable[[], T], name: str) -> None:
        """Begin; the thread bears this name."""
        self._came: list[T | CannotLook] = []
        self._thread = threading.Thread(target=lambda: self._came.append(attempt(call)), name=name, daemon=True)
        self._thread.start()

    def ended(self) -> bool:
        """Whether it has come back."""
        return bool(self._came)

    def within(self, seconds: float) -> T | CannotLook:
        """Wait at most so long; gives the value, or the reason there is none."""
        self._thread.join(seconds)
        return self._came[0] if self._came else TimedOut(f"no answer within {seconds:g} s", seconds)
