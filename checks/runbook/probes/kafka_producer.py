"""Who writes, as the cluster sees it: the producer ids that the leader of each partition remembers."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated

from runbook.answers.kafka.stamps import written
from runbook.model.fact import Observed, distinct
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import Moment, Offset, PartitionNumber
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaProducer(Row):
    """An idempotent or transactional producer in a partition."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number within its topic.", key=True)]
    producer_id: Annotated[int, Cell("Its producer id.", key=True)]
    epoch: Annotated[int, Cell("Its epoch.", moves=True)]
    last_sequence: Annotated[int, Cell("Sequence number of its last record here; -1 for none.", moves=True)]
    last_time: Annotated[
        Moment | None,
        Cell("Timestamp of its last record here, as the record says; unknown if it has none.", moves=True),
    ]
    transaction_start: Annotated[
        Offset, Cell("First offset of its transaction that is open here; -1 for none.", moves=True)
    ]


PROBE = Probe(
    connections=("kafka",),
    help="One row per partition and producer id: idempotent and transactional producers of the last day; of others "
    "brokers remember nothing.",
    row=KafkaProducer,
    requests=("ApiVersions", "DescribeAcls", "DescribeCluster", "DescribeProducers", "Metadata"),
    rights=(
        "Describe on all topics",
        "Read on the topics whose producers are wanted, where there are ACLs",
        "Describe on the cluster, to see that no ACL hides topics",
    ),
    parameters={
        "topics": Parameter(
            type="list[string]", help="shell patterns of topics; without, all but Kafka's internal ones"
        ),
    },
)


def observe(kafka: "Kafka", *, topics: Sequence[str] | None = None) -> Observed:
    """Observe the producers of topics; a topic that we have no right to read is a gap (KIP-664 asks for that)."""
    internal = kafka.internal_topics()
    names = [
        name
        for name in kafka.topics()
        if (any(fnmatchcase(name, pattern) for pattern in topics) if topics else name not in internal)
    ]
    found, gaps = kafka.writers(names)
    rows = [
        KafkaProducer(
            topic=place.topic,
            partition=place.partition,
            producer_id=one.id,
            epoch=one.epoch,
            last_sequence=one.sequence,
            last_time=written(one.timestamp),
            transaction_start=one.transaction_start,
        )
        for place, writers in found.items()
        for one in writers
    ]
    return Observed(rows=rows, gaps=distinct([*kafka.topics_gaps(), *gaps]))
