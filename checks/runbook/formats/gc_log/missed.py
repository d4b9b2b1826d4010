"""What of a log's pauses could not be read: so that a pause never disappears without a word."""

import re

from runbook.formats.gc_log.event import Event, Moment, Pause, Safepoint, Unended

FAR = 1000.0
"""Milliseconds of one stop, or of all together beyond what all pauses took, that need a pause to explain them. Stops
for other reasons than the collector's take tenths of a millisecond as a rule; our judgement."""

_WORTH_ADDING = 10.0
"""Milliseconds from which a stop without a pause is added up: a JVM has thousands of short ones. Our judgement."""

_COLLECTS = re.compile("G1|Gen|Serial|Parallel|Collect|CGC|CMS|Z[A-Z]|X[A-Z]|Shenandoah|$")
"""Begins the name of an operation that collects; one that has no name may. Of vmOperation.hpp, JDK 13 to 25."""
_MOST = 100_000
"""Numbers of one hole that are remembered one by one; our judgement, more will not turn up any more."""


class Missed:
    """Keeps count while a log is read.

    Attributes:
        since: what happened before, in seconds since 1970, is not counted; None to count all.
        lost: collections of which only the beginning or only the end was found.
        unread: lines that carry the collector's time stamp and say what is not known here.
        dropped: lines that the JVM says it dropped (-Xlog:async).
        numbers: collections whose numbers were skipped.
        unmatched: pauses whose safepoint is missing, though safepoints are logged.
        first: when the first of these was, as far as it is told.
        unended: the pauses that began and have no end in the log of their JVM.
        unmatched_last: when the last pause was, where its safepoint does not follow.
        unexplained: milliseconds that threads were stopped and no pause was told for, all together.
        stop: the longest such stop; None if there is none.
        stop_unexplained: milliseconds of it that no pause was told for.
    """

    def __init__(self, since: float | None = None) -> None:
        self.since = since
        self.lost = self.unread = self.dropped = self.numbers = self.unmatched = 0
        self.first: Moment | None = None
        self.unended: list[Unended] = []
        self.unmatched_last: Moment | None = None
        self.unexplained = self.stop_unexplained = 0.0
        self.stop: Safepoint | None = None
        self._paused = self._since_stop = 0.0
        self._in_step = False  # whether all pauses of the next stop were seen

    @property
    def stopped_far_longer(self) -> bool:
        """Whether threads were stopped for far longer than the pauses that were read."""
        return self.stop_unexplained >= FAR or self.unexplained >= self._paused + FAR

    def lose(self, at: Moment) -> None:
        """Count a collection that could not be put together."""
        self.lost += self._counts(at)

    def skip(self, at: Moment) -> None:
        """Count a line that was not understood."""
        self.unread += self._counts(at)

    def drop(self, lines: int, at: Moment) -> None:
        """Count lines that the JVM dropped."""
        self.dropped += lines * self._counts(at)

    def unmatch(self, at: Moment) -> None:
        """Count a pause without its safepoint."""
        self.unmatched += self._counts(at)

    def skips(self, at: Moment) -> bool:
        """Whether collections that are missing before this moment count."""
        return self._counts(at)

    def saw(self, event: Event) -> None:
        """Hold stops against the pauses that were told before them."""
        if isinstance(event, Pause):
            self._since_stop += event.ms
            self._paused += event.ms if self._within(event.at) else 0.0
        elif isinstance(event, Safepoint):
            rest = event.total_ms - event.reaching_ms - self._since_stop
            named = _COLLECTS.match(event.operation)
            if named and self._in_step and rest >= _WORTH_ADDING and self._within(event.at):
                self._explain(event, rest)
            self._since_stop = 0.0
        elif isinstance(event, Unended) and self._within(event.at):
            self.unended.append(event)
        self._in_step = True

    def _explain(self, stop: Safepoint, rest: float) -> None:
        self.unexplained += rest
        if rest > self.stop_unexplained:
            self.stop, self.stop_unexplained = stop, rest

    def _counts(self, at: Moment) -> bool:
        within = self._within(at)
        if within and self.first is None:
            self.first = at
        return within

    def _within(self, at: Moment) -> bool:
        return self.since is None or at.wall is None or at.wall >= self.since


class Numbering:
    """Which numbers of a JVM's collections no line had.

    Concurrent collections end long after younger ones began, and Serial tells a collection within another first:
    a number that was skipped may still come.
    """

    def __init__(self) -> None:
        """Begin; the first number that is seen is where the log begins."""
        self._highest = -1
        self._missing: set[int] = set()
        self._counted = 0

    @property
    def missing(self) -> int:
        """How many numbers were skipped and did not come."""
        return self._counted + len(self._missing)

    def saw(self, number: int) -> bool:
        """Take the number of a line; says whether it skips any."""
        if number <= self._highest:
            self._missing.discard(number)
            return False
        skipped = number - self._highest - 1 if self._highest >= 0 else 0
        if skipped > _MOST:
            self._counted += skipped
        elif skipped:
            self._missing.update(range(self._highest + 1, number))
        self._highest = number
        return skipped > 0

    def restart(self) -> None:
        """Another JVM begins at 0."""
        self._counted, self._missing, self._highest = self.missing, set(), -1

    def forget(self) -> None:
        """Leave out what was skipped so far: it does not count."""
        self._counted, self._missing = 0, set()
