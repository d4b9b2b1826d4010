"""Pauses of unified logging that began: a line says so (tag gc,start), and another one that they ended."""

from collections import deque

from msgspec import Struct

from runbook.formats.gc_log.decoration import moment
from runbook.formats.gc_log.event import Moment, Unended
from runbook.formats.gc_log.missed import Missed
from runbook.formats.gc_log.pause_meaning import meaning

_MOST = 200
"""Lines that are kept of a pause without an end; our judgement, a pause has a dozen or two."""


class _Open(Struct):
    """A pause by its number, and the words and decorations of its first line."""

    number: int
    words: str
    decorations: str


class OpenPauses:
    """The pauses that have begun and not ended: one, or with Serial a full collection within a young one.

    Attributes:
        boot: when the JVM started, seconds since 1970, if known from elsewhere.
        told: whether the log tells beginnings at all.
        any: whether there is one.
        lines: the last of those that were read since one began.
    """

    def __init__(self, missed: Missed) -> None:
        self.boot: float | None = None
        self.told = self.any = False
        self._missed = missed
        self._open: list[_Open] = []
        self.lines: deque[str] = deque(maxlen=_MOST)

    def begin(self, decorations: str, words: str, number: int) -> None:
        """Take the line in which a pause begins."""
        if self._open and not (len(self._open) == 1 and meaning(words).kind == "full" != self._kind(self._open[0])):
            self.ran()
        self._open.append(_Open(number, words, decorations))
        self.told = self.any = True
        self.lines.clear()

    def end(self, number: int) -> None:
        """Take the line in which a pause ends; of what began within it the end is missing."""
        at = next((place for place, begun in enumerate(self._open) if begun.number == number), None)
        if at is not None:
            self._lose(self._open[at + 1 :])
            del self._open[at:]
            self.any = bool(self._open)

    def ran(self) -> None:
        """Take it that threads run: what has begun has ended, and the line that says so is missing."""
        self._lose(self._open)
        self._open, self.any = [], False

    def close(self, *, killed: bool) -> Unended | None:
        """Give what has not ended when the log of a JVM does; `killed`: another JVM goes on."""
        if not self._open:
            return None
        outer, inner = self._open[0], self._open[-1]
        self._open, self.any = [], False
        own = f"GC({inner.number}) "
        last = next((line for line in reversed(self.lines) if own in line), "")
        at = self._moment(last[1 : last.find("] ")] if last else inner.decorations)
        found = meaning(inner.words)
        return Unended(at, self._moment(outer.decorations), found.kind, found.cause, killed=killed)

    def _lose(self, some: list[_Open]) -> None:
        for begun in some:
            self._missed.lose(self._moment(begun.decorations))

    def _moment(self, decorations: str) -> Moment:
        return moment(decorations, self.boot)

    @staticmethod
    def _kind(begun: _Open) -> str:
        return meaning(begun.words).kind
