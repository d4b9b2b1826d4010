"""The time of a run: its deadline counts from its first request, and loading before that has a bound of its own."""

import threading
import time
from typing import Final

LOADING: Final = 120.0
"""Seconds after which nobody waits for libraries to load, where nothing was asked yet: our judgement. It takes 1 to 2 s
on a laptop; a machine that is thirty times as slow still asks."""
_QUICK: Final = 0.1  # of the deadline: who loads beside one that loaded within it loses little. Our judgement
_BESIDE: Final = 10.0  # times as long as the first one needed to load, which the others get. Our judgement


class RunClock:
    """One deadline for all workers of a run. Safe for threads.

    The first worker that has loaded its libraries waits for those that load beside it where loading is slow, so that
    they get their time, too: from the first request on the deadline is the same for all.

    Attributes:
        limit: seconds from the first request to the deadline.
        asked_at: the moment of the first request, on the monotonic clock; None before it.
    """

    def __init__(self, limit: float, beside: int) -> None:
        """Begin to load.

        Args:
            limit: seconds from the first request to the deadline.
            beside: workers that begin to load at once.
        """
        self.limit = limit
        self.asked_at: float | None = None
        self._since = time.monotonic()
        self._places = self._loading = beside
        self._slowest = 0.0  # seconds to load, of those that have
        self._changed = threading.Condition()
        self._stopped = False

    def left(self) -> float:
        """Seconds until the deadline; before the first request, until nobody waits for that any more."""
        return 0.0 if self._stopped else max(0.0, self.end - time.monotonic())

    @property
    def end(self) -> float:
        """When `left` is 0, on the monotonic clock."""
        return self._since + LOADING if self.asked_at is None else self.asked_at + self.limit

    def joins(self) -> bool:
        """Whether a worker that begins to load now is one of those that the first waits for: `loaded` must follow."""
        with self._changed:
            self._places -= 1
            return self._places >= 0

    def loaded(self) -> None:
        """One of those that the first waits for has loaded, or never will."""
        with self._changed:
            self._loading -= 1
            self._changed.notify_all()

    def ask(self, took: float) -> None:
        """Return when a worker that has loaded may ask; the deadline counts from the first return.

        Args:
            took: seconds that it needed to load.
        """
        with self._changed:
            self._slowest = max(self._slowest, took)
            while self.asked_at is None and self._loading > 0 and (wait := self._patience()) > 0:
                self._changed.wait(wait)
            if self.asked_at is None:
                self.asked_at = time.monotonic()
                self._changed.notify_all()

    def _patience(self) -> float:
        """Seconds that who has loaded still waits for those that load."""
        if self._slowest <= _QUICK * self.limit:
            return 0.0
        return min(self.left(), self._since + _BESIDE * self._slowest - time.monotonic())

    def stop(self) -> None:
        """Let nobody wait any more."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
