"""One timeline of a JVM's stops: every time in which no application thread ran, whatever the reason.

A stop is a collection's pause with the way to its safepoint, a safepoint for another reason, the way to a safepoint
alone, and a pause that began and has no end. Where safepoints are not logged, pauses are all that is known.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from runbook.formats.gc_log.event import Event, Moment, Pause, Safepoint, Start, Unended, elapsed, length, named
from runbook.formats.gc_log.missed import Missed
from runbook.model.quantity import MillisecondsExact

ASKED_FOR = frozenset(
    {"System.gc()", "Heap Dump Initiated GC", "Heap Inspection Initiated GC", "Diagnostic Command"}
    | {"JvmtiEnv ForceGarbageCollection"}  # of an agent, such as a profiler
)
"""Causes of full collections that somebody asked for; the heap had no need of them (HotSpot's gcCause.cpp)."""

_TOUCH = 0.002
"""Seconds between pauses that are one stop; stamps have milliseconds."""

_SLACK = 5.0
"""Milliseconds by which a safepoint's own time may be shorter than the pauses within it: clocks are read twice."""

_MOST = 100
"""Pauses that wait for their safepoint; our judgement, one stop has a handful."""


class Stop(Struct):
    """No application thread ran.

    Attributes:
        at: when it ended, or the last moment at which it is known not to have.
        ms: how long it lasted, or at least lasted.
        reaching_ms: the part of it on the way to the safepoint; 0 where the log does not say.
        pause: the pause within it that it is named by: a full collection, or else the longest.
        operation: what the JVM stopped its threads for, where it says so.
        unended: the pause that has no end in the log.
    """

    at: Moment
    ms: MillisecondsExact
    reaching_ms: MillisecondsExact = MillisecondsExact(0.0)
    pause: Pause | None = None
    operation: str = ""
    unended: Unended | None = None

    @property
    def kind(self) -> str:
        """A pause's kind, or `safepoint` for a stop that is on the way to one for the most part or has no pause."""
        if self.unended is not None:
            return self.unended.kind
        return "safepoint" if self.pause is None or self._on_the_way else self.pause.kind

    @property
    def cause(self) -> str:
        """The pause's cause, or else the JVM's operation; empty if not said."""
        if self.unended is not None:
            return self.unended.cause
        return self.operation if self.pause is None or self._on_the_way else self.pause.cause

    @property
    def what(self) -> str:
        """What it was, for a sentence: `24.9 s on the way to a safepoint (Cleanup)`, `Full GC (System.gc())`."""
        if self.unended is not None:
            return self.unended.what
        if self.pause is None or self._on_the_way:
            why = f" ({self.cause})" if self.cause else ""
            return (
                f"{length(self.reaching_ms)} on the way to a safepoint{why}" if self._on_the_way else f"safepoint{why}"
            )
        return named(self.kind, self.cause)

    @property
    def _on_the_way(self) -> bool:
        return self.reaching_ms > self.ms / 2


class Timeline:
    """Puts pauses and safepoints together: events in, stops out, each once it is complete.

    Attributes:
        safepoints: whether the log tells safepoints.
    """

    def __init__(self, missed: Missed) -> None:
        """Begin; pauses whose safepoint is missing are counted there."""
        self.safepoints = False
        self._missed = missed
        self._pauses: list[Pause] = []

    def of(self, events: Iterable[Event]) -> Iterator[tuple[Event | None, list[Stop]]]:
        """Give each event with the stops that it completes; at the end None with the last of them."""
        for event in events:
            yield event, self._add(event)
        last = self._alone(self._pauses)
        if self.safepoints and last:
            self._missed.unmatched_last = last[-1].at
            self._unmatched(last[:-1])
        yield None, last

    def _add(self, event: Event) -> list[Stop]:
        match event:
            case Pause():
                waits = self.safepoints and len(self._pauses) < _MOST
                more = waits or not self._pauses or self._goes_on(self._pauses[-1], event)
                done = [] if more else self._unmatched(self._take())
                self._pauses.append(event)
                return done
            case Safepoint():
                return self._safepoint(event)
            case Unended():
                return [*self._unmatched(self._take()), Stop(event.at, event.ms, unended=event)]
            case Start():
                done = self._take()
                self.safepoints = False
                return done
            case _:
                return []

    def _safepoint(self, event: Safepoint) -> list[Stop]:
        before = next((i for i, pause in enumerate(self._pauses) if _within(pause, event)), len(self._pauses))
        apart = self._unmatched(self._alone(self._pauses[:before]))
        pause = max(self._pauses[before:], key=_weight, default=None)
        self._pauses, self.safepoints = [], True
        return [*apart, Stop(event.at, event.total_ms, event.reaching_ms, pause, event.operation)]

    def _unmatched(self, stops: list[Stop]) -> list[Stop]:
        """Stops of pauses alone: where safepoints are logged theirs is missing."""
        if self.safepoints:
            for stop in stops:
                self._missed.unmatch(stop.at)
        return stops

    def _take(self) -> list[Stop]:
        """Take the pauses that wait as stops of their own."""
        taken, self._pauses = self._pauses, []
        return self._alone(taken)

    def _alone(self, pauses: Sequence[Pause]) -> list[Stop]:
        """Pauses as stops: those that go on at once as one."""
        stops: list[Stop] = []
        for place, pause in enumerate(pauses):
            if place and self._goes_on(pauses[place - 1], pause):
                main = max(pause, stops[-1].pause or pause, key=_weight)
                stops[-1] = Stop(pause.at, MillisecondsExact(stops[-1].ms + pause.ms), pause=main)
            else:
                stops.append(Stop(pause.at, pause.ms, pause=pause))
        return stops

    def _goes_on(self, before: Pause, after: Pause) -> bool:
        """Whether a pause follows at once within one stop, as a full collection follows one that found no room."""
        between = elapsed(before.at, after.at)
        if between is None or abs(between - after.ms / 1000) > _TOUCH:
            return False
        asked_anew = before.kind == "full" and after.cause in ASKED_FOR
        return self.safepoints or (after.kind == "full" and not asked_anew)


def _weight(pause: Pause) -> tuple[bool, float]:
    return (pause.kind == "full", pause.ms)


def _within(pause: Pause, stop: Safepoint) -> bool:
    """Whether a pause that ended before a stop did lies within it; where no times are told that depends on lengths."""
    since = elapsed(pause.at, stop.at)
    took = pause.ms if since is None else pause.ms + 1000 * since
    return took <= stop.total_ms + _SLACK
