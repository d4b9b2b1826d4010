"""Which offset of a source MirrorMaker 2 noted last as which offset of the copy, read from its internal topics."""

from runbook.connections.kafka import Kafka
from runbook.connections.kafka.positions import positions
from runbook.connections.kafka.stamps import written
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.mirror_positions import offset_sync
from runbook.probes._mirror_positions import MOST, REQUESTS, parameters

_TOPICS = "mm2-offset-syncs.*.internal"

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
    requests=REQUESTS,
    rights=(
        "Describe on all topics",
        "Read on the topics under may_read, for the syncs in them",
        "Describe on the cluster, to see that no ACL hides topics",
    ),
    parameters=parameters(_TOPICS),
    waits_for="may_read",
)


def observe(
    kafka: Kafka,
    *,
    topics: list[str] | None = None,
    bytes: int = MOST,  # noqa: A002 - the parameter's name in runbooks
) -> Observed:
    """Observe the syncs in force; internal topics that may not be read are gaps."""
    patterns = [_TOPICS] if topics is None else topics
    found, gaps = positions(kafka, patterns, offset_sync, bytes)
    rows = [
        (record.topic, one.topic, one.partition, one.upstream, one.downstream, written(record.timestamp))
        for record, one in found
    ]
    return Observed(rows=rows, gaps=gaps)
