"""Loggers of brokers and their levels."""

from typing import TYPE_CHECKING, Annotated

from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaLogger(Row):
    """A logger of a broker."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    logger: Annotated[str, Cell("Name of the logger; root is the one all others inherit from.", key=True, moves=True)]
    level: Annotated[str, Cell("Its level in force: OFF, FATAL, ERROR, WARN, INFO, DEBUG, TRACE or ALL.")]


PROBE = Probe(
    connections=("kafka",),
    help="One row per broker and logger (KIP-412).",
    row=KafkaLogger,
    requests=("ApiVersions", "DescribeCluster", "DescribeConfigs", "Metadata"),
    rights=("DescribeConfigs on the cluster",),
)


def observe(kafka: "Kafka") -> Observed:
    """Observe the levels of each broker that answers; a gap for each that does not."""
    by_broker, gaps = kafka.loggers()
    rows = [
        KafkaLogger(broker=broker, logger=name, level=level)
        for broker, levels in by_broker.items()
        for name, level in levels.items()
    ]
    return Observed(rows=rows, gaps=gaps)
