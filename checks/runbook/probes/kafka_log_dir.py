"""The brokers' log directories: whether they work, and how full they are."""

from runbook.connections.kafka import Kafka
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kafka",),
    help="One row per broker and log directory.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("path", "string", "Absolute path.", key=True, entity="log_dir"),
        Column("error", "string", "What is wrong with it, such as offline; empty for nothing."),
        Column("total_bytes", "int", "Size of the volume; unknown before Kafka 3.3.", unit="bytes"),
        Column("usable_bytes", "int", "Room left on the volume; unknown before Kafka 3.3.", unit="bytes"),
        Column("replica_bytes", "int", "Bytes of all replicas in it.", unit="bytes"),
        Column("replicas", "int", "Replicas in it, those that are being moved there not counted.", unit="replicas"),
    ),
    requests=("ApiVersions", "DescribeCluster", "DescribeLogDirs", "Metadata"),
    rights=("Describe on the cluster",),
)


def observe(kafka: Kafka) -> Observed:
    """Observe the log directories of every broker that tells them."""
    told, gaps = kafka.log_dirs()
    rows = [
        (broker, d.path, d.error, d.total_bytes, d.usable_bytes, d.replica_bytes, d.replicas)
        for broker, dirs in told.items()
        for d in dirs
    ]
    return Observed(rows=rows, gaps=gaps)
