"""The processes of one canary: begun within the same bounds, and landed together."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from runbook.canary.child import Child
from runbook.canary.messages import CanaryJob, CanaryReport
from runbook.model.canary import Bounds
from runbook.model.errors import CannotLook

START = 60.0  # seconds in which every place must have a topic, and the reader be there. Our judgement
REMOVE = 45.0  # seconds in which topics must be removed

Take = Callable[[CanaryReport], None]


class CanaryProcesses:
    """Writers and a reader. `mark` is what the names of all topics of this canary hold, and no others do."""

    def __init__(self, bounds: Bounds, *, alone: bool = False) -> None:
        """Prepare; no process is begun yet. `alone`: topics are read where they are written."""
        self._bounds = bounds
        self._alone = alone
        self.mark = f"{bounds.topic}-{secrets.token_hex(4)}"
        self._writers: list[tuple[Child, str, str]] = []
        self._reader: Child | None = None

    def writer(self, place: str, settings: Mapping[str, Any], topic: str, take: Take) -> Child:
        """Begin a writer; the first is the first to be cleaned up after."""
        child = Child(self._job("writer", settings, topic), take)
        self._writers.append((child, place, topic))
        return child

    def reader(self, settings: Mapping[str, Any], topic: str, take: Take) -> Child:
        """Begin the reader."""
        self._reader = Child(self._job("reader", settings, topic), take)
        return self._reader

    def await_ready(self, child: Child, can: str, place: str, seconds: float) -> None:
        """Wait until a process is ready.

        Raises:
            CannotLook: it is not, or not in time; all have landed then.
        """
        if not child.wait("ready", seconds):
            self.refuse(f"the canary can't {can} at {place}: {child.why or f'{place} was not ready in {START:g} s'}")

    def refuse(self, why: str) -> None:
        """Land before the flight has begun.

        Raises:
            CannotLook: always, with the reason.
        """
        self.land()
        raise CannotLook(why)

    def land(self) -> list[str]:
        """End everything and remove the topics; gives those that are left, with their place."""
        if self._reader is not None:
            self._reader.end(5)
        left: list[str] = []
        for child, place, topic in self._writers:
            child.say("stop")
            child.say("clean")
            child.wait("cleaned", REMOVE)
            left += [f"{name} at {place}" for name in ([topic] if child.left is None else child.left)]
            child.end(1)
        self._writers, self._reader = [], None
        return left

    def _job(self, role: Any, settings: Mapping[str, Any], topic: str) -> CanaryJob:
        bounds = self._bounds
        return CanaryJob(
            role=role,
            settings=dict(settings),
            topic=topic,
            mark=self.mark,
            acks=str(bounds.acks),
            rate=bounds.rate,
            size=bounds.size,
            seconds=bounds.minutes * 60.0,
            alone=self._alone,
        )


def ago(times: Iterable[float], now: float) -> str:
    """How long ago the last of these was, in words; nothing if there is none."""
    last = max(times, default=None)
    return "" if last is None else f" (the last {now - last:.1f} s ago)"


def doubt(child: Child, who: str, *, ended: bool) -> str:
    """Why what a process told may not be all there is; "" if it is."""
    if child.why:
        return f"{who}: {child.why}"
    return "" if ended else f"{who} did not end in time"
