"""The brokers' log directories: whether they work, and how full they are."""

from typing import TYPE_CHECKING, Annotated, Final

from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Bytes
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka

_SINCE: Final = "Kafka reports it from 3.3 on (KIP-827), of a directory that works"


class KafkaLogDir(Row):
    """A log directory of a broker."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    path: Annotated[str, Cell("Absolute path.", key=True, entity="log_dir")]
    error: Annotated[str, Cell("What is wrong with it, such as offline; empty for nothing.")]
    total_bytes: Annotated[
        Bytes | None, Cell("Size of the volume; unknown where it failed, and before Kafka 3.3.", untold=_SINCE)
    ]
    usable_bytes: Annotated[
        Bytes | None,
        Cell("Room left on the volume; unknown where it failed, and before Kafka 3.3.", untold=_SINCE, moves=True),
    ]
    replica_bytes: Annotated[
        Bytes | None, Cell("Bytes of all replicas in it; unknown where it failed.", why="error", moves=True)
    ]
    replicas: Annotated[
        int | None,
        Cell(
            "Replicas in it, those that are being moved there not counted; unknown where it failed.",
            why="error",
            unit="replicas",
        ),
    ]


PROBE = Probe(
    connections=("kafka",),
    help="One row per broker and log directory.",
    row=KafkaLogDir,
    requests=("ApiVersions", "DescribeCluster", "DescribeLogDirs", "Metadata"),
    rights=("Describe on the cluster",),
)


def observe(kafka: "Kafka") -> Observed:
    """Observe the log directories of every broker that tells them."""
    by_broker, gaps = kafka.log_dirs()
    rows = [
        KafkaLogDir(
            broker=broker,
            path=directory.path,
            error=directory.error,
            total_bytes=directory.total_bytes,
            usable_bytes=directory.usable_bytes,
            replica_bytes=directory.replica_bytes,
            replicas=directory.replicas,
        )
        for broker, dirs in by_broker.items()
        for directory in dirs
    ]
    return Observed(rows=rows, gaps=gaps)
