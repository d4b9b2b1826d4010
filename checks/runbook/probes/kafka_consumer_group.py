"""The consumer groups: their state, and how they share partitions."""

from typing import TYPE_CHECKING, Annotated

from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaConsumerGroup(Row):
    """A consumer group."""

    group: Annotated[str, Cell("Group id.", key=True, entity="group")]
    state: Annotated[str, Cell("stable, empty, dead, preparing_rebalancing, completing_rebalancing, assigning, …")]
    type: Annotated[str, Cell("classic or consumer: the protocol its members speak.")]
    protocol: Annotated[
        str | None, Cell("Partition assignor; empty while the group has none, unknown if not reported.")
    ]
    members: Annotated[int | None, Cell("Members; unknown when the group could not be described.", unit="members")]
    coordinator: Annotated[BrokerId, Cell("Broker that coordinates it; -1 when not known.")]


PROBE = Probe(
    connections=("kafka",),
    help="One row per consumer group, of the classic and the new protocol (KIP-848).",
    row=KafkaConsumerGroup,
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


def observe(kafka: "Kafka") -> Observed:
    """Observe the consumer groups."""
    groups, gaps = kafka.groups()
    rows = [
        KafkaConsumerGroup(
            group=group.name,
            state=group.state,
            type=group.type,
            protocol=group.assignor,
            members=group.members,
            coordinator=group.coordinator,
        )
        for group in groups
    ]
    return Observed(rows=rows, gaps=gaps)
