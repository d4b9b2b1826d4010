"""How leaders, replicas and bytes are spread over the brokers."""

from collections import Counter

from runbook.connections.kafka import Kafka
from runbook.engine.column import Column
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kafka",),
    help="One row per broker, also for one that holds nothing.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("leaders", "int", "Partitions it leads.", unit="partitions"),
        Column("replicas", "int", "Replicas it holds, leaders included.", unit="replicas"),
        Column("preferred_leaders", "int", "Partitions whose first replica it is.", unit="partitions"),
        Column("bytes", "int", "Bytes of its replicas; unknown when it does not tell its log dirs.", unit="bytes"),
    ),
    requests=("ApiVersions", "DescribeAcls", "DescribeCluster", "DescribeLogDirs", "Metadata"),
    rights=(
        "Describe on all topics",
        "Describe on the cluster, for bytes",
        "Describe on the cluster, to see that no ACL hides topics",
    ),
)


def observe(kafka: Kafka) -> Observed:
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
    rows = []
    for broker in kafka.brokers():
        counts = (leaders[broker.id], replicas[broker.id], preferred[broker.id])
        # counts over some of the topics only would make brokers look empty that are not
        rows.append((broker.id, *((None, None, None) if gaps else counts), held.get(broker.id)))
    return Observed(rows=rows, gaps=gaps)


def _bytes(kafka: Kafka) -> dict[int, int]:
    try:
        told, _ = kafka.log_dirs()
    except CannotLook:
        return {}
    return {broker: sum(d.replica_bytes for d in dirs) for broker, dirs in told.items()}
