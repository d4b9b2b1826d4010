"""What is known of a canary's records in one place: what is lost of them, and how long a partition stood still. Pure.

Record n goes to partition n % partitions. All times are seconds of one monotonic clock, as in `link_records.py`.
"""

from collections.abc import Mapping

from msgspec import field, structs

from runbook.canary.link_records import Account, Doubts
from runbook.procedure.walk_record import Measured

GOING_ON = 3
"""Records that each partition must acknowledge, and give to the reader, before the drill begins and after its last
step. Our judgement: less may be what was under way when it stopped."""


class OutageMeasurements(Account):
    """What is known of records that are written and read in one place.

    A gap of a partition is the time between two of its acknowledgements that follow each other, and likewise between
    two of its records that were read. The longest gap of any partition is what is measured. It includes the time
    between two records to one partition (partitions / rate), as what is shorter can't be told; so it is never too
    small, and never 0. Gaps are told only if they are closed: each partition must have been written to and read before
    the drill, and have gone on after it.

    Attributes:
        partitions: of the topic; 0: not known.
        read: when each record was read first.
        began: when the drill did.
        landing: when its last step was over, with writing and reading going on.
    """

    partitions: int = 0
    read: dict[int, float] = field(default_factory=dict)
    began: float | None = None
    landing: float | None = None

    def took_off(self) -> bool:
        """Whether every partition acknowledges records and gives them."""
        return self.partitions > 0 and not (self._few(self.sent, None, None) or self._few(self.read, None, None))

    def went_on(self) -> bool:
        """Whether every partition did so after the last step too."""
        late = self.landing
        return late is not None and not (self._few(self.sent, late, None) or self._few(self.read, late, None))

    def measured(self, at: str, doubts: Doubts, caveats: list[str]) -> Measured:
        """The figures, as far as they follow from evidence; for each of the others, why it does not."""
        lost = doubts.sent or doubts.copied or ("" if self.sent else "no record was acknowledged")
        write = doubts.sent or self._open(self.sent, "acknowledged")
        read = doubts.copied or doubts.sent or self._open(self.read, "gave the reader")
        written, seen = (None if write else self._longest(self.sent)), (None if read else self._longest(self.read))
        measured = self.counted(at, lost, doubts.copied, (write, written), (read, seen))
        return structs.replace(measured, caveats=caveats)

    def _open(self, times: Mapping[int, float], did: str) -> str:
        """Why the longest gap may be one that is not seen whole; "" if it is."""
        if self.began is None or self.landing is None or not self.partitions:
            return "the canary did not fly from the beginning of the drill to its end"
        for when, after, before in (
            ("before the drill", None, self.began),
            ("after the last step", self.landing, None),
        ):
            few = self._few(times, after, before)
            if few:
                some = ", ".join(str(number) for number in few)
                return f"of {self.partitions} partitions, {some} {did} fewer than {GOING_ON} records {when}"
        return ""

    def _few(self, times: Mapping[int, float], after: float | None, before: float | None) -> list[int]:
        """The partitions of which fewer than `GOING_ON` records have a time within these bounds."""
        counts = dict.fromkeys(range(self.partitions), 0)
        for number, time in times.items():
            counts[number % self.partitions] += (after is None or time >= after) and (before is None or time <= before)
        return [partition for partition, count in counts.items() if count < GOING_ON]

    def _longest(self, times: Mapping[int, float]) -> float:
        last: dict[int, float] = {}
        longest = 0.0
        for time, number in sorted((time, number) for number, time in times.items()):
            partition = number % self.partitions
            longest = max(longest, time - last.get(partition, time))
            last[partition] = time
        return longest
