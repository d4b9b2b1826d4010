"""How far partitions reach, and how old the records in them are. No record is read for it."""

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated

from runbook.answers.kafka import TopicPartition
from runbook.answers.kafka.offsets import EARLIEST, LATEST, NEWEST, OLDEST, OffsetAndTimestamp
from runbook.answers.kafka.stamps import written
from runbook.model.fact import Observed, distinct
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Moment, Offset, PartitionNumber
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaPartitionOffset(Row):
    """How far a partition reaches."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    leader: Annotated[BrokerId, Cell("Broker that leads it; -1 for none.")]
    begin: Annotated[Offset | None, Cell("Offset of the first record that is still there.")]
    end: Annotated[Offset | None, Cell("Offset that the next record will get: so many were ever written.")]
    records: Annotated[
        int | None, Cell("From begin to end; fewer where the topic is compacted.", unit="records", moves=True)
    ]
    oldest: Annotated[
        Moment | None, Cell("Time of the first record, by its own timestamp; unknown if there is none.", moves=True)
    ]
    newest: Annotated[
        Moment | None,
        Cell(
            "Latest time that a record has that all replicas in sync have; unknown if there is none, or before Kafka "
            "3.0. Known to within a second while they lack a newer one.",
            untold="of a partition without records there is none, and Kafka reports it from 3.0 on",
            moves=True,
        ),
    ]


PROBE = Probe(
    connections=("kafka",),
    help="One row per partition of the topics asked for.",
    row=KafkaPartitionOffset,
    requests=("ApiVersions", "DescribeAcls", "DescribeCluster", "ListOffsets", "Metadata"),
    rights=(
        "Describe on all topics",
        "Describe on the cluster, to see that no ACL hides topics",
    ),
    parameters={
        "topics": Parameter(type="list[string]", default=["*"], help="shell patterns of topics, as in [*.dlq, dlq-*]"),
    },
)


def observe(kafka: "Kafka", *, topics: list[str] | None = None) -> Observed:
    """Observe the partitions of the topics that fit a pattern; what a leader does not tell is None, with a gap."""
    names = [name for name in kafka.topics() if any(fnmatchcase(name, pattern) for pattern in topics or ["*"])]
    begins, ends, oldest, newest = (kafka.offsets(names, time) for time in (EARLIEST, LATEST, OLDEST, NEWEST))
    gaps = [*kafka.topics_gaps(), *(gap for _, lacking in (begins, ends, oldest, newest) for gap in lacking)]
    rows = []
    for name in names:
        for partition in kafka.topics()[name]:
            topic_partition = TopicPartition(name, partition.number)
            begin, end = (
                offsets[0][topic_partition].offset if topic_partition in offsets[0] else None
                for offsets in (begins, ends)
            )
            rows.append(
                KafkaPartitionOffset(
                    topic=name,
                    partition=partition.number,
                    leader=partition.leader,
                    begin=begin,
                    end=end,
                    records=None if begin is None or end is None else max(0, end - begin),
                    oldest=_time(oldest[0].get(topic_partition)),
                    newest=_time(newest[0].get(topic_partition)),
                )
            )
    return Observed(rows=rows, gaps=distinct(gaps))


def _time(found: OffsetAndTimestamp | None) -> Moment | None:
    return None if found is None else written(found.timestamp)
