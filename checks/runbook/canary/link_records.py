"""What is known of a canary's records: which were acknowledged and read when, and what follows from it. Pure.

All times are seconds of one monotonic clock, that of the machine on which the drill is walked.
"""

from collections import Counter

from msgspec import Struct, field

from runbook.procedure.walk_record import Measured

NOT_MOVED = "producers did not move to the target: no step with `switch: writers` was done"
Gap = tuple[str, float | None]
"""Why a time is not known, "" if it is, and its seconds."""
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
        return max(self.sent.values()) - min(self.sent[number] for number in lacking) if lacking else 0.0

    def again(self) -> int:
        """How many were found beyond the first of each."""
        return self.copies.total() - len(self.copies)

    def unmeasured(self, at: str, reason: str) -> Measured:
        """No figure at all, for one reason."""
        return Measured(at=at, acknowledged=len(self.sent), unknown=dict.fromkeys(FIGURES, reason))

    def counted(self, at: str, lost: str, again: str, write: Gap, read: Gap) -> Measured:
        """The figures of any canary.

        Args:
            at: when.
            lost: why nothing is known of what is lost; "" if it is.
            again: why nothing is known of what was found more than once; likewise.
            write: for how long nothing was acknowledged.
            read: for how long nothing new was read.
        """
        reasons = dict(zip(FIGURES, (lost, lost, again, write[0], read[0]), strict=True))
        return Measured(
            at=at,
            acknowledged=len(self.sent),
            rpo_records=None if lost else len(self.lacking()),
            rpo_seconds=None if lost else _rounded(self.behind()),
            duplicates=None if again else self.again(),
            rto_write=None if write[0] else _rounded(write[1]),
            rto_read=None if read[0] else _rounded(read[1]),
            unknown={name: why for name, why in reasons.items() if why},
        )


class LossMeasurements(Account):
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
        write = (self._no_write_gap(doubts), self._write_gap())
        read = (self._no_read_gap(doubts), self._read_gap())
        return self.counted(at, self._nothing_to_compare(doubts), doubts.copied, write, read)

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


def _rounded(seconds: float | None) -> float | None:
    """Seconds with milliseconds, as the clocks of two processes agree no better; never below 0."""
    return None if seconds is None else max(0.0, round(seconds, 3))
