"""How far groups have come in each partition, and whether the record that they are at has been there for long."""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Struct

from runbook.answers.kafka import AnyGroup, TopicPartition
from runbook.answers.kafka.offsets import EARLIEST, LATEST, OffsetAndTimestamp
from runbook.model.fact import Observed, distinct
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import Offset, PartitionNumber
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaGroupOffset(Row):
    """A group's place in a partition; of a share group, its start offset there."""

    group: Annotated[str, Cell("Group id.", key=True, entity="group")]
    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    state: Annotated[str, Cell("State of the group: stable, empty, …")]
    members: Annotated[int | None, Cell("Members of the group; unknown if it could not be described.", unit="members")]
    committed: Annotated[Offset, Cell("Offset of the record that it is to read next.")]
    begin: Annotated[Offset | None, Cell("Offset of the first record that is still there.")]
    end: Annotated[Offset | None, Cell("Offset that the next record will get.")]
    lag: Annotated[
        int | None,
        Cell(
            "From committed to end; transactions count too. Of a share group what its coordinator reports (Kafka 4.2 "
            "and later); else at most so many.",
            unit="records",
            moves=True,
        ),
    ]
    late: Annotated[
        bool | None,
        Cell(
            "Whether the record to read next was written longer ago than the parameter says, by its own timestamp; "
            "unknown where it may be a transaction's marker.",
            untold="one old offset is left: a record, or the marker of a transaction",
        ),
    ]


_TRANSACTIONS: Final = "__transaction_state"
"""Kafka creates it with the first transaction; without it no partition has a marker."""

PROBE = Probe(
    connections=("kafka",),
    help="One row per group of any kind and partition in which it has committed an offset.",
    row=KafkaGroupOffset,
    requests=(
        "ApiVersions",
        "ConsumerGroupDescribe",
        "DescribeAcls",
        "DescribeCluster",
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
        "Describe on the cluster, to see that no ACL hides topics",
    ),
    parameters={
        "topics": Parameter(
            type="list[string]", default=["*"], help="shell patterns of topics, as in [orders, retry-*]"
        ),
        "late": Parameter(type="int", default=600, min=1, help="seconds after which a record is late"),
    },
)


def observe(kafka: "Kafka", *, topics: list[str] | None = None, late: int = 600) -> Observed:
    """Observe the groups that commit to Kafka; partitions of topics that are gone are left out."""
    commits = kafka.commits()
    there = kafka.topics()
    chosen = sorted(
        {
            topic
            for partitions in commits.offsets.values()
            for topic, _ in partitions
            if topic in there and any(fnmatchcase(topic, pattern) for pattern in topics or ["*"])
        }
    )
    then = int((kafka.clock.now("late records") - late) * 1000)
    begins, ends, sooner = (kafka.offsets(chosen, at) for at in (EARLIEST, LATEST, then))
    bounds = _Bounds(begins[0], ends[0], sooner[0])
    groups = {group.name: group for group in kafka.readers()[0]}
    # not made up: a topic that is hidden may be the one of transactions, so that there may be markers
    markers = _TRANSACTIONS in there or bool(kafka.topics_gaps())
    rows = [
        _row(
            groups[name],
            partition,
            committed=committed,
            told=commits.lags.get(name, {}).get(partition),
            bounds=bounds,
            markers=markers,
        )
        for name, partitions in commits.offsets.items()
        for partition, committed in partitions.items()
        if partition.topic in chosen
    ]
    lacking = [gap for _, missing in (begins, ends, sooner) for gap in missing]
    return Observed(rows=rows, gaps=distinct([*commits.gaps, *kafka.topics_gaps(), *lacking]))


class _Bounds(Struct, frozen=True):
    """Where partitions begin and end, and their first records that are not late."""

    begins: Mapping[TopicPartition, OffsetAndTimestamp]
    ends: Mapping[TopicPartition, OffsetAndTimestamp]
    sooner: Mapping[TopicPartition, OffsetAndTimestamp]


def _row(
    group: AnyGroup,
    topic_partition: TopicPartition,
    *,
    committed: Offset,
    told: int | None,
    bounds: _Bounds,
    markers: bool,
) -> KafkaGroupOffset:
    """A group's place in a partition. No record from `sooner` on means that all of them are older.

    A transaction ends with a marker, which has an offset and a timestamp as records have, and which no group reads.
    """
    begin, end, sooner = (known.get(topic_partition) for known in (bounds.begins, bounds.ends, bounds.sooner))
    last = end.offset if end else None
    lag = told if told is not None or last is None else max(0, last - committed)
    first_in_time = sooner.offset if sooner and sooner.offset >= 0 else last
    late = None if lag is None or sooner is None or first_in_time is None else lag > 0 and committed < first_in_time
    if late and lag == 1 and markers:
        late = None
    return KafkaGroupOffset(
        group=group.name,
        topic=topic_partition.topic,
        partition=topic_partition.partition,
        state=group.state,
        members=None if group.members is None else len(group.members),
        committed=committed,
        begin=begin.offset if begin else None,
        end=last,
        lag=lag,
        late=late,
    )
