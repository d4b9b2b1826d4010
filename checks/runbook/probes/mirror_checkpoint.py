"""Commits of consumer groups as MirrorMaker 2 has translated them for the copy, read from its internal topics."""

from runbook.connections.kafka import Kafka
from runbook.connections.kafka.positions import positions
from runbook.connections.kafka.stamps import written
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.mirror_positions import checkpoint
from runbook.probes._mirror_positions import MOST, REQUESTS, parameters

_TOPICS = "*.checkpoints.internal"

PROBE = Probe(
    connections=("kafka",),
    help="One row per group and partition: the newest checkpoint. Asked of the target, which holds them.",
    columns=(
        Column("log", "string", "Internal topic that holds it, named after the source's alias.", key=True),
        Column("group", "string", "Consumer group.", key=True, entity="group"),
        Column("topic", "string", "Topic as it is called at the target.", key=True, entity="topic"),
        Column("partition", "int", "Number of the partition.", key=True, entity="partition"),
        Column("upstream", "int", "Offset that the group committed at the source, when that was translated."),
        Column("downstream", "int", "Offset of the copy that this means."),
        Column("at", "timestamp", "When the checkpoint was written; unknown if it has no time."),
    ),
    requests=REQUESTS,
    rights=(
        "Describe on all topics",
        "Read on the topics under may_read, for the checkpoints in them",
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
    """Observe the checkpoints in force; internal topics that may not be read are gaps."""
    patterns = [_TOPICS] if topics is None else topics
    found, gaps = positions(kafka, patterns, checkpoint, bytes)
    rows = [
        (record.topic, one.group, one.topic, one.partition, one.upstream, one.downstream, written(record.timestamp))
        for record, one in found
    ]
    return Observed(rows=rows, gaps=gaps)
