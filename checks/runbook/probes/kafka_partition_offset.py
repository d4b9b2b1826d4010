"""How far partitions reach, and how old the records in them are. No record is read for it."""

from fnmatch import fnmatchcase

from runbook.connections.kafka import Kafka
from runbook.connections.kafka.offset_requests import EARLIEST, LATEST, NEWEST, OLDEST, Offset
from runbook.connections.kafka.stamps import written
from runbook.engine.column import Column
from runbook.engine.fact import Observed, distinct
from runbook.engine.parameter import Parameter
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kafka",),
    help="One row per partition of the topics asked for.",
    columns=(
        Column("topic", "string", "Topic.", key=True, entity="topic"),
        Column("partition", "int", "Number of the partition.", key=True, entity="partition"),
        Column("leader", "int", "Broker that leads it; -1 for none.", entity="broker"),
        Column("begin", "int", "Offset of the first record that is still there."),
        Column("end", "int", "Offset that the next record will get: so many were ever written."),
        Column("records", "int", "From begin to end; fewer where the topic is compacted.", unit="records"),
        Column("oldest", "timestamp", "Time of the first record, by its own timestamp; unknown if there is none."),
        Column("newest", "timestamp", "Latest time that a record has; unknown if there is none, or before Kafka 3.0."),
    ),
    requests=("ApiVersions", "DescribeAcls", "DescribeCluster", "ListOffsets", "Metadata"),
    rights=(
        "Describe on all topics",
        "Describe on the cluster, to see that no ACL hides topics",
    ),
    parameters={
        "topics": Parameter(type="list[string]", default=["*"], help="shell patterns of topics, as in [*.dlq, dlq-*]"),
    },
)


def observe(kafka: Kafka, *, topics: list[str] | None = None) -> Observed:
    """Observe the partitions of the topics that fit a pattern; what a leader does not tell is None, with a gap."""
    names = [name for name in kafka.topics() if any(fnmatchcase(name, pattern) for pattern in topics or ["*"])]
    begins, ends, oldest, newest = (kafka.offsets(names, time) for time in (EARLIEST, LATEST, OLDEST, NEWEST))
    gaps = [*kafka.topics_gaps(), *(gap for _, lacking in (begins, ends, oldest, newest) for gap in lacking)]
    rows = []
    for name in names:
        for partition in kafka.topics()[name]:
            spot = (name, partition.number)
            begin, end = (told[0][spot].offset if spot in told[0] else None for told in (begins, ends))
            records = None if begin is None or end is None else max(0, end - begin)
            times = (_time(told[0].get(spot)) for told in (oldest, newest))
            rows.append((*spot, partition.leader, begin, end, records, *times))
    return Observed(rows=rows, gaps=distinct(gaps))


def _time(told: Offset | None) -> str | None:
    return None if told is None else written(told.timestamp)
