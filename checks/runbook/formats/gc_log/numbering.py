"""The numbers of collections, GC(7): a JVM gives them in turn, so that a hole in them is a hole in the log."""

_MOST = 100_000
"""Numbers of one hole that are remembered one by one; our judgement, more will not turn up any more."""


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
