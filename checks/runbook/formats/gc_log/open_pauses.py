"""Pauses of unified logging that began: a line says so (tag gc,start), and another one that they ended."""

from msgspec import Struct

from runbook.formats.gc_log.decoration import moment
from runbook.formats.gc_log.event import Moment, Unended
from runbook.formats.gc_log.missed import Missed
from runbook.formats.gc_log.pause_meaning import meaning


class _Open(Struct):
    """A pause by its number, the words of its first line, and the decorations of its first and its last line so far."""

    number: int
    words: str
    first: str
    last: str


class OpenPauses:
    """The pauses that have begun and not ended: one, or with Serial a full collection within a young one.

    Attributes:
        boot: when the JVM started, seconds since 1970, if known from elsewhere.
        told: whether the log tells beginnings at all.
        any: whether there is one.
    """

    def __init__(self, missed: Missed) -> None:
        self.boot: float | None = None
        self.told = self.any = False
        self._missed = missed
        self._open: list[_Open] = []

    def begin(self, decorations: str, words: str, number: int) -> None:
        """Take the line in which a pause begins."""
        if self._open and not (len(self._open) == 1 and meaning(words).kind == "full" != self._kind(self._open[0])):
            self.ran()
        self._open.append(_Open(number, words, decorations, decorations))
        self.told = self.any = True

    def end(self, number: int) -> None:
        """Take the line in which a pause ends; of what began within it the end is missing."""
        at = next((place for place, begun in enumerate(self._open) if begun.number == number), None)
        if at is not None:
            self._lose(self._open[at + 1 :])
            del self._open[at:]
            self.any = bool(self._open)

    def see(self, line: str) -> None:
        """Take a line of a pause, whatever it says: the pause had not ended then."""
        begun = self._open[-1]
        if f"GC({begun.number}) " in line:
            begun.last = line[1 : line.find("] ")]

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
        found = meaning(inner.words)
        return Unended(self._moment(inner.last), self._moment(outer.first), found.kind, found.cause, killed=killed)

    def _lose(self, some: list[_Open]) -> None:
        for begun in some:
            self._missed.lose(self._moment(begun.first))

    def _moment(self, decorations: str) -> Moment:
        return moment(decorations, self.boot)

    @staticmethod
    def _kind(begun: _Open) -> str:
        return meaning(begun.words).kind
