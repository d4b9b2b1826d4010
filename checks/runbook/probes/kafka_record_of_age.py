"""The newest record of each partition that has at least some age, found without reading any: ListOffsets by time.

What should have been done with every record of that age is seen to be left undone by this one: later ones may wait.
"""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Final

from runbook.answers.kafka import Partition, TopicPartition
from runbook.answers.kafka.offsets import NEWEST, OLDEST, OffsetAndTimestamp
from runbook.answers.kafka.stamps import written
from runbook.model.by_pattern import seconds_of
from runbook.model.fact import Gap, Observed, distinct
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import Moment, Offset, PartitionNumber
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka

_CLOSE: Final = 1000
"""Milliseconds within which the newest record of an age is found. Our judgement: nobody promises less than that."""
_CLOSE_SHARE: Final = 0.05
"""Or this share of its age: between 60 and 63 s nobody sees a difference. Our judgement."""
_ROUNDS: Final = 16
"""Requests that each leader is sent at most. Each halves, in proportion, what the age may be: from a second to a
hundred years it takes ten."""
_LEFT: Final = 1.0  # seconds that the search leaves for the report


class KafkaRecordOfAge(Row):
    """A partition of a topic for which an age is given."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    seconds: Annotated[int, Cell("The age that is given for its topic.", unit="s")]
    offset: Annotated[
        Offset | None,
        Cell("Offset of the newest record that is at least so old; -1 if none is.", moves=True),
    ]
    written: Annotated[
        Moment | None,
        Cell(
            "Time of that record, by its own timestamp; unknown if there is none. One that is younger by a twentieth "
            "of its age, or by a second, may be as old.",
            untold="where no record is so old there is none",
            moves=True,
        ),
    ]


PROBE = Probe(
    connections=("kafka",),
    help="One row per partition of the topics for which an age is given: its newest record that is at least so old.",
    row=KafkaRecordOfAge,
    requests=("ApiVersions", "DescribeAcls", "DescribeCluster", "ListOffsets", "Metadata"),
    rights=(
        "Describe on all topics",
        "Describe on the cluster, to see that no ACL hides topics",
    ),
    parameters={
        "ages": Parameter(
            type="list[string]", help="ages in seconds, as in [orders*=10, *=300]; the first that fits holds"
        ),
    },
)


class _Bracket:
    """What is known of one partition: its newest record of the age so far, and from when on there is none."""

    def __init__(self, now: int, seconds: int) -> None:
        self._now = now
        self._due = now - 1000 * seconds
        self.known: OffsetAndTimestamp | None = None
        self.told = True
        self._none_from = self._due + 1

    def learn(self, asked: int, found: OffsetAndTimestamp) -> None:
        """Take in that this is the first record from a time on."""
        if found.offset < 0 or found.timestamp > self._due:
            self._none_from = min(self._none_from, asked)
        elif self.known is None or found.timestamp > self.known.timestamp:
            self.known = found

    def learn_newest(self, found: OffsetAndTimestamp) -> None:
        """Take in that this is the newest of all; where it is younger, that tells nothing."""
        if 0 <= found.timestamp <= self._due:
            self.learn(found.timestamp, found)
            self._none_from = min(self._none_from, found.timestamp + 1)

    @property
    def open(self) -> bool:
        """Whether asking again could tell it closer."""
        if not self.told or self.known is None:
            return False
        return self._none_from - self.known.timestamp > max(_CLOSE, _CLOSE_SHARE * (self._now - self.known.timestamp))

    def next(self) -> int:
        """The time to ask for: just beyond the age, where a topic in use has records; then the middle of both ages."""
        assert self.known is not None
        if self._none_from > self._due:
            guess = self._due - max(_CLOSE, round(_CLOSE_SHARE * (self._now - self._due))) + 1
        else:
            guess = self._now - round(math.sqrt((self._now - self.known.timestamp) * (self._now - self._none_from + 1)))
        return min(max(guess, self.known.timestamp + 1), self._none_from - 1)


def observe(kafka: "Kafka", *, ages: list[str] | None = None) -> Observed:
    """Observe the partitions of topics with an age; what a leader does not tell is None, with a gap."""
    given = seconds_of(ages)
    seconds = {name: age for name in kafka.topics() if (age := given(name)) is not None}
    now = round(kafka.clock.now("ages of records") * 1000)
    partitions = {
        TopicPartition(name, partition.number): partition for name in seconds for partition in kafka.topics()[name]
    }
    brackets = {place: _Bracket(now, seconds[place.topic]) for place in partitions}
    oldest, gaps = kafka.offsets(seconds, OLDEST)
    newest, more = kafka.offsets(seconds, NEWEST)
    gaps = [*kafka.topics_gaps(), *gaps, *more]
    for place, bracket in brackets.items():
        if place not in oldest:
            bracket.told = False
            continue
        bracket.learn(OLDEST, oldest[place])
        if place in newest:
            bracket.learn_newest(newest[place])
    gaps += _search(kafka, partitions, brackets)
    rows = []
    for place, bracket in brackets.items():
        found = bracket.known
        rows.append(
            KafkaRecordOfAge(
                topic=place.topic,
                partition=place.partition,
                seconds=seconds[place.topic],
                offset=None if not bracket.told else found.offset if found else Offset(-1),
                written=written(found.timestamp) if found and bracket.told else None,
            )
        )
    return Observed(rows=rows, gaps=distinct(gaps))


def _search(
    kafka: "Kafka", partitions: Mapping[TopicPartition, Partition], brackets: Mapping[TopicPartition, _Bracket]
) -> list[Gap]:
    """Ask all leaders again, until every partition is told closely enough; what is not told, and why."""
    gaps: list[Gap] = []
    for _ in range(_ROUNDS):
        times = {place: bracket.next() for place, bracket in brackets.items() if bracket.open}
        if not times or kafka.clock.left() < _LEFT:
            break
        found, lacking = kafka.places(partitions, times)
        gaps += lacking
        for place, asked in times.items():
            if place in found:
                brackets[place].learn(asked, found[place])
            else:  # who does not tell is not asked again
                brackets[place].told = False
    for place, bracket in brackets.items():
        if bracket.open:
            bracket.told = False
            gaps.append(Gap("time was up before a record of that age was found", {"topic": place.topic}))
    return gaps
