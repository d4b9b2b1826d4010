"""What groups did between two looks: commits and ends, twice; and when what they have not read was written."""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from runbook.answers.kafka import TopicPartition, TopicSettings
from runbook.answers.kafka.group_observations import (
    Commits,
    GroupObservation,
    GroupObservations,
    PartitionOffsets,
    next_read,
)
from runbook.answers.kafka.offsets import (
    EARLIEST,
    LATEST,
    NEWEST,
    OLDEST,
    READ_COMMITTED,
    READ_UNCOMMITTED,
)
from runbook.connections.kafka.newest import Ask, newest_at_last
from runbook.connections.kafka.offsets import Places
from runbook.connections.kafka.unread import Search, Unread
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap
from runbook.model.probe import Deadline
from runbook.model.quantity import Offset, PartitionNumber, Timestamp

OFFSETS: Final = "__consumer_offsets"
_INTEGERS: Final = 2**32


if TYPE_CHECKING:
    from runbook.connections.kafka.reader import Kafka

T = TypeVar("T")
_AHEAD: Final = 60_000
"""Milliseconds that the newest record may be younger than our clock, and older than the moment in which it came.

Our judgement: clocks of hosts that are kept are together within seconds; a minute apart, somebody sets other times."""
_BEFORE_3_0: Final = "its leader reports no newest record: Kafka does from 3.0 on"
_ROUNDS: Final = 16
_LEFT: Final = 1.0  # seconds that the search leaves for the report


class _Looking:
    """One pair of looks."""

    def __init__(self, kafka: "Kafka", wanted: Callable[[str], bool]) -> None:
        self.kafka = kafka
        self.gaps: list[Gap] = []
        self.groups, gaps = kafka.every_group()
        self.gaps += gaps
        self._every = {TopicPartition(name, partition.number): partition for name, partition in kafka.each_partition()}
        self._there = {
            topic_partition: partition
            for topic_partition, partition in self._every.items()
            if wanted(topic_partition.topic)
        }
        self._commits: Mapping[str, Commits] = {}

    def look(self) -> GroupObservation:
        """Look now. Ends come after commits, so that nobody seems to be ahead."""
        at = self.kafka.clock.now("groups")
        commits = self.kafka.commits_now(self.groups)
        self.gaps += commits.gaps
        there = {name: self._of_those(found) for name, found in commits.offsets.items()}
        lags = {name: self._of_those(found) for name, found in commits.lags.items()}
        # What has not moved is kept once: of thousands of groups most have not.
        self._commits = {name: kept if (kept := self._commits.get(name)) == now else now for name, now in there.items()}
        partitions = self.partitions(self._commits).union(*lags.values())
        return GroupObservation(at, self._commits, self.offsets(partitions, LATEST), lags)

    def _of_those(self, commits: Mapping[TopicPartition, T]) -> Mapping[TopicPartition, T]:
        """The commits to partitions that are asked about and there."""
        if commits.keys() <= self._there.keys():
            return commits
        return {partition: offset for partition, offset in commits.items() if partition in self._there}

    def partitions(self, commits: Mapping[str, Commits]) -> set[TopicPartition]:
        """The partitions that a group has committed to, and all of topics of which a member has some."""
        topics = {
            partition.topic for group in self.groups for member in group.members or () for partition in member.assigned
        }
        return {partition for found in commits.values() for partition in found} | {
            partition for partition in self._there if partition.topic in topics
        }

    def offsets(
        self, partitions: set[TopicPartition], which: int, isolation: int = READ_UNCOMMITTED
    ) -> PartitionOffsets:
        """One place in each of these partitions."""
        found, gaps = self.kafka.places(self._there, dict.fromkeys(sorted(partitions), which), isolation)
        self.gaps += gaps
        return found

    def newest(self, partitions: set[TopicPartition]) -> PartitionOffsets:
        """The youngest record of each of these partitions, which have some."""
        found, gaps = newest_at_last(
            self._places(dict.fromkeys(sorted(partitions), NEWEST)), lambda: partitions, self._places, self.kafka.clock
        )
        self.gaps += gaps
        return found

    def _places(self, times: Mapping[TopicPartition, int]) -> Places:
        return self.kafka.places(self._every, times)

    def waits(self, first: GroupObservation, second: GroupObservation) -> bool:
        """Whether a group that has members and something to read was not seen to commit anything."""
        return any(
            group.members
            and (commits := second.commits.get(group.name))
            and commits == first.commits.get(group.name)
            and any(
                partition in second.ends and second.ends[partition].offset > offset + 1
                for partition, offset in commits.items()
            )
            for group in self.groups
        )

    def writes(self) -> Mapping[str, Timestamp]:
        """When something was last written where each group's commits are kept; what is not told is no gap.

        Share groups keep theirs elsewhere: in a topic whose partitions are chosen by ids of topics.
        """
        kept = {partition for partition in self._every if partition.topic == OFFSETS}
        groups = [group.name for group in self.groups if group.type != "share"]
        return last_writes(self._places, kept, groups, self.kafka.clock)

    def ask(self, times: Mapping[TopicPartition, int]) -> PartitionOffsets:
        """Places by times; what is not told is no gap of its own: its cells say why."""
        return self.kafka.places(self._there, times)[0]

    def unread(self, partition: TopicPartition, offset: Offset, end: Offset) -> Unread:
        """What is asked of a partition; where its topic's settings can't be seen, nothing is taken for granted."""
        try:
            settings = self.kafka.topic_settings().get(partition.topic)
        except CannotLook:
            settings = None
        values = settings.values if isinstance(settings, TopicSettings) else {}
        policy, stamped = values.get("cleanup.policy"), values.get("message.timestamp.type")
        return Unread(
            topic_partition=partition,
            offset=offset,
            end=end,
            sparse=policy is None or "compact" in (policy.value or "compact"),
            ordered=stamped is not None and stamped.value == "LogAppendTime",
        )


def observe_twice(
    kafka: "Kafka", wanted: Callable[[str], bool], *, seconds: float, longest: float, searched: int
) -> GroupObservations:
    """Look at all groups twice.

    Args:
        kafka: the cluster.
        wanted: which topics.
        seconds: between the looks; less where half of the time that is left is less.
        longest: how long after the first look the second is made anew, while a group that lags is not seen to commit;
            never beyond half of the time that is left.
        searched: partitions of which times are searched at most, those with the greatest lag first.
    """
    looking = _Looking(kafka, wanted)
    first = looking.look()
    half = kafka.clock.left() / 2
    then = kafka.clock.left() - min(seconds, half)
    partitions = looking.partitions(first.commits).union(*first.lags.values())
    begins = looking.offsets(partitions, EARLIEST)
    kafka.clock.sleep(max(0.0, kafka.clock.left() - then))
    second = looking.look()
    for _ in range(int(min(longest, half - seconds) // seconds)):
        if not looking.waits(first, second):
            break
        kafka.clock.sleep(seconds)
        second = looking.look()
    writes = looking.writes()
    # After the ends: one that is below its end is held there.
    stable = looking.offsets(partitions, LATEST, READ_COMMITTED)
    lagging = [*_lagging(looking, second, begins), *_held(looking, second, stable)]
    untimed: dict[TopicPartition, str] = {}
    chosen = _chosen(lagging, searched, untimed)
    times = {unread.topic_partition for unread in chosen}
    oldest, newest = looking.offsets(times, OLDEST), looking.newest(times)
    why = "its leader did not tell its youngest record" if kafka.tells_newest() else _BEFORE_3_0
    untimed |= dict.fromkeys(times - newest.keys(), why)
    skewed = _skewed(newest, first, second)
    untimed |= {partition: why for partition, (_, why) in skewed.items()}
    search = Search(
        [unread for unread in chosen if unread.topic_partition not in untimed], round(second.at * 1000), oldest, newest
    )
    search.run(looking.ask, _ROUNDS, go_on=lambda: looking.kafka.clock.left() > _LEFT)
    written = search.found()
    for unread in chosen:
        if (unread.topic_partition, unread.offset) not in written:
            untimed.setdefault(unread.topic_partition, "its leader did not tell times, or its records have none")
    return GroupObservations(
        groups=looking.groups,
        before=first,
        after=second,
        begins=begins,
        stable=stable,
        written=written,
        untimed=untimed,
        rounds=search.rounds,
        writes=writes,
        gaps=looking.gaps,
        dated={partition: dated for partition, (dated, _) in skewed.items() if dated},
    )


def _lagging(looking: _Looking, look: GroupObservation, begins: PartitionOffsets) -> list[Unread]:
    """What groups are to read next, where there is something to read; the greatest lags first."""
    found: dict[tuple[TopicPartition, Offset], Unread] = {}
    for commits in look.commits.values():
        for partition, committed in commits.items():
            end = look.ends.get(partition)
            offset = next_read(committed, begins.get(partition))
            if end is not None and end.offset > offset and (partition, offset) not in found:
                found[partition, offset] = looking.unread(partition, offset, end.offset)
    return sorted(found.values(), key=lambda one: (one.offset - one.end, one.topic_partition))


def _held(looking: _Looking, look: GroupObservation, stable: PartitionOffsets) -> list[Unread]:
    """The first records of transactions that are open: readers of committed records wait there."""
    return [
        looking.unread(partition, last.offset, look.ends[partition].offset)
        for partition, last in stable.items()
        if partition in look.ends and last.offset < look.ends[partition].offset
    ]


def _chosen(lagging: list[Unread], searched: int, untimed: dict[TopicPartition, str]) -> list[Unread]:
    """Those of the partitions that are searched."""
    partitions = list(dict.fromkeys(unread.topic_partition for unread in lagging))
    for partition in partitions[searched:]:
        untimed[partition] = f"{len(partitions)} partitions lag, times are searched in the {searched} that lag most"
    return [unread for unread in lagging if unread.topic_partition not in untimed]


def _skewed(
    newest: PartitionOffsets, first: GroupObservation, second: GroupObservation
) -> dict[TopicPartition, tuple[Literal["past", "ahead"] | None, str]]:
    """The partitions whose timestamps are not the times at which records came, as far as that shows, and why."""
    found: dict[TopicPartition, tuple[Literal["past", "ahead"] | None, str]] = {}
    now, then = round(second.at * 1000), round(first.at * 1000)
    for partition, last in newest.items():
        before, after = first.ends.get(partition), second.ends.get(partition)
        if last.timestamp < 0:
            found[partition] = None, "its leader does not tell its youngest record, as followers lack that"
        elif last.timestamp > now + _AHEAD:
            found[partition] = "ahead", f"a record is dated {(last.timestamp - now) / 1000:.0f} s ahead of our clock"
        elif before and after and after.offset > before.offset and last.timestamp < then - _AHEAD:
            found[partition] = "past", f"what is written now is dated {(then - last.timestamp) / 1000:.0f} s ago"
    return found


def last_writes(
    ask: Ask, kept: AbstractSet[TopicPartition], groups: Sequence[str], clock: Deadline
) -> dict[str, Timestamp]:
    """When something was last written where a group's commits are kept; of whom that is not told, nothing.

    Since then nobody of them has committed. OffsetFetch tells no times. But commits are records of __consumer_offsets,
    which coordinators stamp, and ListOffsets tells a partition's youngest. Heartbeats write nothing; joining, leaving
    and expiring do.

    Args:
        ask: asks for places in partitions.
        kept: partitions of the offsets topic; none where it can't be seen.
        groups: of whom it is asked.
        clock: the time for it.
    """
    partitions = {group: TopicPartition(OFFSETS, offsets_partition(group, len(kept))) for group in groups if kept}
    there = {*partitions.values()} & kept
    last, _ = newest_at_last(ask(dict.fromkeys(sorted(there), NEWEST)), lambda: there, ask, clock)
    return {
        group: last[partition].timestamp
        for group, partition in partitions.items()
        if partition in last and last[partition].timestamp >= 0
    }


def offsets_partition(group: str, count: int) -> PartitionNumber:
    """The partition of the offsets topic that keeps a group, as coordinators choose it: by Java's hash of its name."""
    units, hashed = group.encode("utf-16-be", "surrogatepass"), 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        hashed = (31 * hashed + (high << 8 | low)) % _INTEGERS
    positive = min(hashed, _INTEGERS - hashed)
    return PartitionNumber(0 if positive == _INTEGERS // 2 else positive % count)
