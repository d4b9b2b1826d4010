"""The replicas, one by one: where each of them is."""

from runbook.connections.kafka import Kafka
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.probes.kafka_partition import hearsay

PROBE = Probe(
    connections=("kafka",),
    help="One row per replica of a partition.",
    columns=(
        Column("topic", "string", "Topic.", key=True, entity="topic"),
        Column("partition", "int", "Number within its topic.", key=True, entity="partition"),
        Column("broker", "int", "Broker that holds the replica.", key=True, entity="broker"),
        Column("in_sync", "bool", "Whether it is in sync with the leader."),
        Column("leads", "bool", "Whether it leads its partition."),
        Column("preferred", "bool", "Whether it is the first of the partition's replicas."),
    ),
    requests=("ApiVersions", "DescribeAcls", "DescribeCluster", "Metadata"),
    rights=(
        "Describe on all topics",
        "Describe on the cluster, to see that no ACL hides topics",
    ),
)


def observe(kafka: Kafka) -> Observed:
    """Observe every replica of every topic that can be seen."""
    rows = [
        (topic, partition.number, node, node in partition.isr, node == partition.leader, place == 0)
        for topic, partition in kafka.each_partition()
        for place, node in enumerate(partition.replicas)
    ]
    return Observed(rows=rows, gaps=[*kafka.topics_gaps(), *hearsay(kafka)])
