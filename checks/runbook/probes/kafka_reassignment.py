"""The partitions that are on the move."""

from typing import TYPE_CHECKING, Annotated

from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, PartitionNumber
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaReassignment(Row):
    """A partition on the move."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number within its topic.", key=True)]
    replicas: Annotated[list[BrokerId], Cell("Replicas now, old and new.")]
    adding: Annotated[list[BrokerId], Cell("Replicas being added.")]
    removing: Annotated[list[BrokerId], Cell("Replicas being removed.")]


PROBE = Probe(
    connections=("kafka",),
    help="One row per partition whose replicas are being moved; none when nothing moves.",
    row=KafkaReassignment,
    requests=("ApiVersions", "ListPartitionReassignments", "Metadata"),
    rights=("Describe on the cluster",),
)


def observe(kafka: "Kafka") -> Observed:
    """Observe the reassignments in progress."""
    rows = [
        KafkaReassignment(
            topic=move.topic,
            partition=move.partition,
            replicas=move.replicas,
            adding=move.adding,
            removing=move.removing,
        )
        for move in kafka.reassignments()
    ]
    return Observed(rows=rows)
