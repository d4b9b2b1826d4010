"""The partitions that are on the move."""

from runbook.connections.kafka import Kafka
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kafka",),
    help="One row per partition whose replicas are being moved; none when nothing moves.",
    columns=(
        Column("topic", "string", "Topic.", key=True, entity="topic"),
        Column("partition", "int", "Number within its topic.", key=True, entity="partition"),
        Column("replicas", "list[int]", "Replicas now, old and new.", entity="broker"),
        Column("adding", "list[int]", "Replicas being added.", entity="broker"),
        Column("removing", "list[int]", "Replicas being removed.", entity="broker"),
    ),
    requests=("ApiVersions", "ListPartitionReassignments", "Metadata"),
    rights=("Describe on the cluster",),
)


def observe(kafka: Kafka) -> Observed:
    """Observe the reassignments in progress."""
    moves = kafka.reassignments()
    return Observed(rows=[(m.topic, m.partition, m.replicas, m.adding, m.removing) for m in moves])
