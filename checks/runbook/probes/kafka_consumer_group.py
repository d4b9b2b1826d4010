"""The consumer groups: their state, and how they share partitions."""

from runbook.connections.kafka import Kafka
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kafka",),
    help="One row per consumer group, of the classic and the new protocol (KIP-848).",
    columns=(
        Column("group", "string", "Group id.", key=True, entity="group"),
        Column("state", "string", "stable, empty, dead, preparing_rebalancing, completing_rebalancing, assigning, …"),
        Column("type", "string", "classic or consumer: the protocol its members speak."),
        Column("protocol", "string", "Partition assignor; empty while the group has none, unknown if not told."),
        Column("members", "int", "Members; unknown when the group could not be described.", unit="members"),
        Column("coordinator", "int", "Broker that coordinates it; -1 when not known.", entity="broker"),
    ),
    requests=(
        "ApiVersions",
        "ConsumerGroupDescribe",
        "DescribeAcls",
        "DescribeCluster",
        "DescribeGroups",
        "FindCoordinator",
        "ListGroups",
        "Metadata",
    ),
    rights=("Describe on the cluster or on all groups", "Describe on groups"),
)


def observe(kafka: Kafka) -> Observed:
    """Observe the consumer groups."""
    groups, gaps = kafka.groups()
    return Observed(rows=[(g.name, g.state, g.type, g.assignor, g.members, g.coordinator) for g in groups], gaps=gaps)
