"""How large the replicas are, one by one, as the brokers that hold them tell it."""

from typing import TYPE_CHECKING, Annotated

from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Bytes, PartitionNumber
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaReplicaSize(Row):
    """A replica on a disk."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number within its topic.", key=True)]
    broker: Annotated[BrokerId, Cell("Broker that holds the replica.", key=True)]
    path: Annotated[str, Cell("Log directory that it lies in.", entity="log_dir")]
    size: Annotated[Bytes, Cell("Bytes of its segments; indexes are not counted.", moves=True)]


PROBE = Probe(
    connections=("kafka",),
    help="One row per replica that lies in a log directory; those that are still being moved there are left out.",
    row=KafkaReplicaSize,
    requests=("ApiVersions", "DescribeCluster", "DescribeLogDirs", "Metadata"),
    rights=("Describe on the cluster",),
)


def observe(kafka: "Kafka") -> Observed:
    """Observe the replicas of every broker that tells its log directories."""
    by_broker, gaps = kafka.replica_sizes()
    rows = [
        KafkaReplicaSize(topic=size.topic, partition=size.partition, broker=broker, path=size.path, size=size.size)
        for broker, sizes in by_broker.items()
        for size in sizes
    ]
    return Observed(rows=rows, gaps=gaps)
