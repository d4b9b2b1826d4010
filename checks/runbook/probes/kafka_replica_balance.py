"""How leaders, replicas and bytes are spread over the brokers."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated

from runbook.model.errors import CannotLook
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Bytes
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaReplicaBalance(Row):
    """What a broker holds."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    leaders: Annotated[int | None, Cell("Partitions it leads.", unit="partitions")]
    replicas: Annotated[int | None, Cell("Replicas it holds, leaders included.", unit="replicas")]
    preferred_leaders: Annotated[int | None, Cell("Partitions whose first replica it is.", unit="partitions")]
    bytes: Annotated[
        Bytes | None,
        Cell("Bytes of its replicas; unknown when it does not tell its log dirs, or one of them failed.", moves=True),
    ]


PROBE = Probe(
    connections=("kafka",),
    help="One row per broker, also for one that holds nothing.",
    row=KafkaReplicaBalance,
    requests=("ApiVersions", "DescribeAcls", "DescribeCluster", "DescribeLogDirs", "Metadata"),
    rights=(
        "Describe on all topics",
        "Describe on the cluster, for bytes",
        "Describe on the cluster, to see that no ACL hides topics",
    ),
)


def observe(kafka: "Kafka") -> Observed:
    """Count what each broker leads and holds."""
    leaders: Counter[int] = Counter()
    replicas: Counter[int] = Counter()
    preferred: Counter[int] = Counter()
    for _, partition in kafka.each_partition():
        leaders[partition.leader] += 1
        replicas.update(partition.replicas)
        preferred.update(partition.replicas[:1])
    held = _bytes(kafka)
    gaps = kafka.topics_gaps()
    # counts over some of the topics only would make brokers look empty that are not
    rows = [
        KafkaReplicaBalance(
            broker=broker.id,
            leaders=None if gaps else leaders[broker.id],
            replicas=None if gaps else replicas[broker.id],
            preferred_leaders=None if gaps else preferred[broker.id],
            bytes=held.get(broker.id),
        )
        for broker in kafka.brokers()
    ]
    return Observed(rows=rows, gaps=gaps)


def _bytes(kafka: "Kafka") -> dict[BrokerId, Bytes]:
    try:
        by_broker, _ = kafka.log_dirs()
    except CannotLook:
        return {}
    held: dict[BrokerId, Bytes] = {}
    for broker, dirs in by_broker.items():
        sizes = [directory.replica_bytes for directory in dirs]
        known = [size for size in sizes if size is not None]
        if len(known) == len(sizes):
            held[broker] = Bytes(sum(known))
    return held
