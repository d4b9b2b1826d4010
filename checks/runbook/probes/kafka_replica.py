"""The replicas, one by one: where each of them is."""

from typing import TYPE_CHECKING, Annotated

from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.probes.kafka_partition import stale_metadata_gaps

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaReplica(Row):
    """A replica."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number within its topic.", key=True)]
    broker: Annotated[BrokerId, Cell("Broker that holds the replica.", key=True)]
    in_sync: Annotated[bool, Cell("Whether it is in sync with the leader.")]
    leads: Annotated[bool, Cell("Whether it leads its partition.")]
    preferred: Annotated[bool, Cell("Whether it is the first of the partition's replicas.")]


PROBE = Probe(
    connections=("kafka",),
    help="One row per replica of a partition.",
    row=KafkaReplica,
    requests=("ApiVersions", "DescribeAcls", "DescribeCluster", "Metadata"),
    rights=(
        "Describe on all topics",
        "Describe on the cluster, to see that no ACL hides topics",
    ),
)


def observe(kafka: "Kafka") -> Observed:
    """Observe every replica of every topic that can be seen."""
    rows = [
        KafkaReplica(
            topic=topic,
            partition=partition.number,
            broker=node,
            in_sync=node in partition.isr,
            leads=node == partition.leader,
            preferred=place == 0,
        )
        for topic, partition in kafka.each_partition()
        for place, node in enumerate(partition.replicas)
    ]
    return Observed(rows=rows, gaps=[*kafka.topics_gaps(), *stale_metadata_gaps(kafka)])
