"""What is known of a canary's records: which were acknowledged and read when, and what follows from it. Pure.

All times are seconds of one monotonic clock, that of the machine on which the drill is walked.
"""

from collections import Counter

from msgspec import Struct, field

from runbook.engine.walk_record import Measured

NOT_MOVED = "producers did not move to the target: no step with `switch: writers` was done"
FIGURES = ("rpo_records", "rpo_seconds", "duplicates", "rto_write", "rto_read")


class Doubts(Struct):
    """Why some of what is needed for figures is not known; "" where it is.

    Attributes:
        sent: what the source acknowledged, and until when.
        copied: what the target has of it.
        moved: what happened after clients moved to the target.
    """

    sent: str = ""
    copied: str = ""
    moved: str = ""


class Account(Struct):
    """What was acknowledged, and what was found of it.

    Attributes:
        sent: when records were acknowledged, by their numbers.
        copies: how often each of them was read where it is looked for.
    """

    sent: dict[int, float] = {}
    copies: Counter[int] = field(default_factory=Counter)

    def lacking(self) -> list[int]:
        """The records that were acknowledged and not found, by their numbers."""
        return sorted(self.sent.keys() - self.copies.keys())

    def behind(self) -> float:
        """Seconds from the acknowledgement of the first of those that lack to the last of all; 0 if none does."""
        lacking = self.lacking()
        return max(self.sent.values()) - min(self.sent[one] for one in lacking) if lacking else 0.0

    def again(self) -> int:
        """How many were found beyond the first of each."""
        return self.copies.total() - len(self.copies)


class Ledger(Account):
    """What is known of records that go over a link: acknowledged at the source, found at the target.

    Attributes:
        taken: when records were acknowledged at the target.
        copied: when one of these was read.
        read: when a record that was written at the target was read there.
        switched: when clients moved.
    """

    taken: dict[int, float] = {}
    copied: list[float] = []
    read: list[float] = []
    switched: float | None = None

    def measured(self, at: str, doubts: Doubts) -> Measured:
        """The figures, as far as they follow from evidence; for each of the others, why it does not."""
        unknown: dict[str, str] = {}
        lost = self._nothing_to_compare(doubts)
        if lost:
            unknown |= {"rpo_records": lost, "rpo_seconds": lost}
        if doubts.copied:
            unknown["duplicates"] = doubts.copied
        gaps = {"rto_write": self._no_write_gap(doubts), "rto_read": self._no_read_gap(doubts)}
        unknown |= {name: why for name, why in gaps.items() if why}
        return Measured(
            at=at,
            acknowledged=len(self.sent),
            rpo_records=None if lost else len(self.lacking()),
            rpo_seconds=None if lost else rounded(self.behind()),
            duplicates=None if doubts.copied else self.again(),
            rto_write=None if "rto_write" in unknown else rounded(self._write_gap()),
            rto_read=None if "rto_read" in unknown else rounded(self._read_gap()),
            unknown=unknown,
        )

    def _nothing_to_compare(self, doubts: Doubts) -> str:
        """Why nothing can be said of what is lost; "" if it can."""
        if self.switched is None:
            return NOT_MOVED
        return doubts.sent or doubts.copied or ("" if self.sent else "the source acknowledged no record")

    def _no_write_gap(self, doubts: Doubts) -> str:
        if self.switched is None:
            return NOT_MOVED
        if not self.sent:
            return doubts.sent or "the source acknowledged no record"
        return doubts.sent or ("" if self.taken else doubts.moved or "the target acknowledged no record")

    def _no_read_gap(self, doubts: Doubts) -> str:
        if self.switched is None:
            return NOT_MOVED
        if not self._copied_before():
            return doubts.copied or "no record was read at the target before producers moved"
        return "" if self.read else doubts.moved or doubts.copied or "no record that was written at the target was read"

    def _write_gap(self) -> float | None:
        return min(self.taken.values()) - max(self.sent.values()) if self.taken and self.sent else None

    def _read_gap(self) -> float | None:
        before = self._copied_before()
        return min(self.read) - max(before) if before and self.read else None

    def _copied_before(self) -> list[float]:
        return [time for time in self.copied if self.switched is not None and time <= self.switched]


def rounded(seconds: float | None) -> float | None:
    """Seconds with milliseconds, as the clocks of two processes agree no better; never below 0."""
    return None if seconds is None else max(0.0, round(seconds, 3))
