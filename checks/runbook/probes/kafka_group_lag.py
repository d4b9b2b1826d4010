"""How far groups are behind, in records and in time, and what they did between two looks. No record is read for it."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Struct

from runbook.answers.kafka import AnyGroup, TopicPartition
from runbook.answers.kafka.group_observations import GroupObservations, Written, next_read
from runbook.model.fact import Observed, distinct
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import Offset, PartitionNumber, Seconds, Timestamp
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaGroupLag(Row):
    """A group and a partition: one that it has committed to, or one of a topic that a member of it reads.

    Of a share group the start offset of a partition stands for its commit.
    """

    group: Annotated[str, Cell("Group id.", key=True, entity="group")]
    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    type: Annotated[str, Cell("classic, consumer, share or streams: the protocol its members speak.")]
    state: Annotated[str, Cell("State of the group: stable, empty, …")]
    members: Annotated[int | None, Cell("Members of the group; unknown where they are not reported.", unit="members")]
    owner: Annotated[
        str | None,
        Cell(
            "Client id and host of the members that have the partition: one, but for share groups; empty if unowned.",
            moves=True,
        ),
    ]
    committed: Annotated[Offset | None, Cell("Offset of the record that it is to read next; unknown: see `commits`.")]
    committed_before: Annotated[Offset | None, Cell("The same at the first look.")]
    commits: Annotated[bool | None, Cell("Whether it has ever committed there; unknown if its coordinator is silent.")]
    begin: Annotated[Offset | None, Cell("Offset of the first record that is still there.")]
    stable: Annotated[
        Offset | None, Cell("Last stable offset, asked last: readers of committed records get no further.")
    ]
    open_least: Annotated[
        Seconds | None,
        Cell("Age of the oldest record of a transaction that is still open, at least; 0 where none is.", why="untimed"),
    ]
    open_most: Annotated[
        Seconds | None,
        Cell("The same, at most, where timestamps don't run backwards; 0 where none is.", why="untimed"),
    ]
    end: Annotated[Offset | None, Cell("Offset that the next record will get.")]
    end_before: Annotated[Offset | None, Cell("The same at the first look.")]
    lag: Annotated[
        int | None,
        Cell(
            "From committed to end; transactions' markers count too. Of a share group what its coordinator reports "
            "(Kafka 4.2 and later): what was acknowledged behind its start offset is left out. Else at most so many.",
            unit="records",
            moves=True,
        ),
    ]
    deleted: Annotated[int | None, Cell("Offsets that were deleted before it read them.", unit="records", moves=True)]
    between: Annotated[Seconds, Cell("From the first look to the second.")]
    quiet: Annotated[
        Seconds | None,
        Cell(
            "Since when nothing was written to the partition of __consumer_offsets that keeps its commits, by the "
            "brokers' clock and ours: so long it has committed nothing. Other groups' commits may be kept there, too. "
            "Unknown where that topic can't be seen, and of share groups, which keep theirs elsewhere.",
            moves=True,
        ),
    ]
    behind_least: Annotated[
        Seconds | None,
        Cell("Age of the record that it is to read next, at least; 0 where all is read.", why="untimed"),
    ]
    behind_most: Annotated[
        Seconds | None,
        Cell("The same, at most, where timestamps don't run backwards; 0 where all is read.", why="untimed"),
    ]
    untimed: Annotated[str, Cell("Why the age is not known; empty if it is.")]
    dated: Annotated[
        str, Cell("past or ahead, where what is written now is dated so; empty where nothing shows that.", moves=True)
    ]


_SEARCHED: Final = 500
_NAMED: Final = 3
"""Members of a share group that are named of a partition."""
_UNTOLD: Final = "its leader did not tell"

PROBE = Probe(
    connections=("kafka",),
    help="One row per group and partition that it has committed to, or that is of a topic its members read.",
    row=KafkaGroupLag,
    requests=(
        "ApiVersions",
        "ConsumerGroupDescribe",
        "DescribeAcls",
        "DescribeCluster",
        "DescribeConfigs",
        "DescribeGroups",
        "DescribeShareGroupOffsets",
        "FindCoordinator",
        "ListGroups",
        "ListOffsets",
        "Metadata",
        "OffsetFetch",
        "ShareGroupDescribe",
        "StreamsGroupDescribe",
    ),
    rights=(
        "Describe on the cluster or on all groups",
        "Describe on groups",
        "Describe on all topics",
        "DescribeConfigs on topics",
        "Describe on the cluster, to see that no ACL hides topics",
    ),
    parameters={
        "topics": Parameter(
            type="list[string]", default=["*"], help="shell patterns of topics, as in [orders, retry-*]"
        ),
        "apart": Parameter(type="int", default=5, min=1, help="seconds between the two looks"),
        "longest": Parameter(
            type="int",
            default=120,
            min=0,
            help="seconds to look on while a group that lags is not seen to commit, within half of --deadline",
        ),
        "searched": Parameter(
            type="int",
            default=_SEARCHED,
            min=0,
            help="partitions of which ages are searched at most, as it makes leaders read their time indexes",
        ),
    },
)


def observe(
    kafka: "Kafka", *, topics: list[str] | None = None, apart: int = 5, longest: int = 120, searched: int = _SEARCHED
) -> Observed:
    """Observe the groups; partitions of topics that are gone are left out."""
    looks = kafka.observe_groups_twice(
        lambda name: any(fnmatchcase(name, pattern) for pattern in topics or ["*"]),
        seconds=apart,
        longest=longest,
        searched=searched,
    )
    return Observed(rows=_rows(looks), gaps=distinct([*looks.gaps, *kafka.topics_gaps()]))


class _Bounds(Struct, frozen=True, gc=False):
    """What is the same of a partition for all groups."""

    begin: Offset | None
    stable: Offset | None
    end: Offset | None
    end_before: Offset | None
    open_least: Seconds | None
    open_most: Seconds | None
    untimed: str


class _BoundsByPartition(dict[TopicPartition, _Bounds]):
    """The partitions, each looked up when it is first asked for."""

    def __init__(self, looks: GroupObservations) -> None:
        super().__init__()
        self._looks = looks

    def __missing__(self, partition: TopicPartition) -> _Bounds:
        looks = self._looks
        begin, stable = looks.begins.get(partition), looks.stable.get(partition)
        end, before = looks.after.ends.get(partition), looks.before.ends.get(partition)
        least, most, untimed = _open(looks, partition)
        self[partition] = _Bounds(
            begin=begin.offset if begin else None,
            stable=stable.offset if stable else None,
            end=end.offset if end else None,
            end_before=before.offset if before else None,
            open_least=least,
            open_most=most,
            untimed=untimed,
        )
        return self[partition]


_Age = tuple[Seconds | None, Seconds | None, str]
"""The age of a record, at least and at most, and why it is not known."""
_NONE: Final[_Age] = (Seconds(0.0), Seconds(0.0), "")
_UNKNOWN: Final[_Age] = (
    None,
    None,
    "the group has committed nothing there, or it is not known where the partition ends",
)


def _rows(looks: GroupObservations) -> Iterator[KafkaGroupLag]:
    """The rows, one after the other: there may be a million, of which nobody needs all at once."""
    bounds_of = _BoundsByPartition(looks)
    ages = {at: _age(looks, written) for at, written in looks.written.items()}
    between = Seconds(round(looks.after.at - looks.before.at, 3))
    of_topic: dict[str, set[TopicPartition]] = {}
    for topic_partition in looks.after.ends:
        of_topic.setdefault(topic_partition.topic, set()).add(topic_partition)
    for group in looks.groups:
        owners = _owners(group)
        known, first = looks.after.commits.get(group.name), looks.before.commits.get(group.name, {})
        lags = looks.after.lags.get(group.name, {})
        write = looks.writes.get(group.name)
        quiet = None if write is None else _since(looks, write)
        members, nobody = (None, None) if group.members is None else (len(group.members), "")
        read = [of_topic.get(topic, set()) for topic in {partition.topic for partition in owners}]
        for topic_partition in sorted({*first, *(known or ()), *lags}.union(*read)):
            committed = None if known is None else known.get(topic_partition)
            bounds = bounds_of[topic_partition]
            lag = lags.get(topic_partition)
            if lag is None and committed is not None and bounds.end is not None:
                lag = max(0, bounds.end - committed)
            least, most, untimed = _UNKNOWN
            if committed is not None and bounds.end is not None:
                offset = next_read(committed, looks.begins.get(topic_partition))
                least, most, untimed = (
                    _NONE
                    if offset >= bounds.end
                    else ages.get((topic_partition, offset))
                    or (None, None, looks.untimed.get(topic_partition, _UNTOLD))
                )
            yield KafkaGroupLag(
                group=group.name,
                topic=topic_partition.topic,
                partition=topic_partition.partition,
                type=group.type,
                state=group.state,
                members=members,
                owner=owners.get(topic_partition, nobody),
                committed=committed,
                committed_before=first.get(topic_partition),
                commits=None if known is None else committed is not None,
                begin=bounds.begin,
                stable=bounds.stable,
                open_least=bounds.open_least,
                open_most=bounds.open_most,
                end=bounds.end,
                end_before=bounds.end_before,
                lag=lag,
                deleted=None if committed is None or bounds.begin is None else max(0, bounds.begin - committed),
                between=between,
                quiet=quiet,
                behind_least=least,
                behind_most=most,
                untimed=untimed or bounds.untimed,
                dated=looks.dated.get(topic_partition, ""),
            )


def _owners(group: AnyGroup) -> dict[TopicPartition, str]:
    """Partition → the members that have it."""
    found: dict[TopicPartition, list[str]] = {}
    for member in group.members or ():
        for partition in member.assigned:
            found.setdefault(partition, []).append(f"{member.client} ({member.host})")
    return {
        partition: ", ".join(names if len(names) <= _NAMED else [*names[:_NAMED], f"and {len(names) - _NAMED} more"])
        for partition, names in found.items()
    }


def _age(looks: GroupObservations, written: Written) -> _Age:
    least = _since(looks, written.latest)
    if written.earliest is None:
        return least, None, "many records before it are younger: times run backwards there"
    return least, _since(looks, written.earliest), ""


def _open(looks: GroupObservations, partition: TopicPartition) -> _Age:
    """The age of the oldest open transaction, at least and at most, and why it is not known."""
    end, stable = looks.after.ends.get(partition), looks.stable.get(partition)
    if end is None or stable is None:
        return None, None, _UNTOLD
    if stable.offset >= end.offset:
        return _NONE
    written = looks.written.get((partition, stable.offset))
    return (None, None, looks.untimed.get(partition, _UNTOLD)) if written is None else _age(looks, written)


def _since(looks: GroupObservations, stamp: Timestamp) -> Seconds:
    return Seconds(max(0.0, round(looks.after.at - stamp / 1000, 3)))
