"""Which offset of a source MirrorMaker 2 noted last as which offset of the copy, read from its internal topics."""

from runbook.connections.kafka import Kafka
from runbook.connections.kafka.positions import positions
from runbook.connections.kafka.stamps import written
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.parameter import Parameter
from runbook.engine.probe import Probe
from runbook.formats.mirror_positions import offset_sync

PROBE = Probe(
    connections=("kafka",),
    help="One row per partition that is copied: the newest sync. Asked of the source, which holds them by default.",
    columns=(
        Column("log", "string", "Internal topic that holds it, named after the other cluster's alias.", key=True),
        Column("topic", "string", "Topic as it is called at the source.", key=True, entity="topic"),
        Column("partition", "int", "Number of the partition.", key=True, entity="partition"),
        Column("upstream", "int", "Offset of a record at the source."),
        Column("downstream", "int", "Offset of its copy."),
        Column("at", "timestamp", "When the sync was written; unknown if it has no time."),
    ),
    requests=("ApiVersions", "DescribeCluster", "Fetch", "ListOffsets", "Metadata"),
    rights=("Describe on all topics", "Read on the topics under may_read, for the syncs in them"),
    parameters={
        "topics": Parameter(
            type="list[string]", default=["mm2-offset-syncs.*.internal"], help="shell patterns of the internal topics"
        ),
        "bytes": Parameter(
            type="int", default=1 << 22, min=1 << 10, max=1 << 26, help="bytes in all; a log that is longer is a gap"
        ),
    },
    waits_for="may_read",
)


def observe(
    kafka: Kafka,
    *,
    topics: list[str] | None = None,
    bytes: int = 1 << 22,  # noqa: A002 - the parameter's name in runbooks
) -> Observed:
    """Observe the syncs in force; internal topics that may not be read are gaps."""
    patterns = ["mm2-offset-syncs.*.internal"] if topics is None else topics
    found, gaps = positions(kafka, patterns, offset_sync, bytes)
    rows = [
        (record.topic, one.topic, one.partition, one.upstream, one.downstream, written(record.timestamp))
        for record, one in found
    ]
    return Observed(rows=rows, gaps=gaps)
