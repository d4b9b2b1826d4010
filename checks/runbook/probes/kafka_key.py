"""Where keys are: of some of the newest records of a topic, whether a known hash put them there. No key is told."""

from collections import defaultdict
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated

from runbook.answers.kafka import ReadLimits
from runbook.formats.key_hash import of_java, of_librdkafka
from runbook.model.fact import Gap, Observed, distinct
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


_Keys = list[tuple[bytes, int]]
"""Keys of a topic's records, each with its partition."""


class KafkaKey(Row):
    """A topic, by some of its newest records."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partitions: Annotated[int, Cell("Its partitions.", unit="partitions")]
    keyed: Annotated[int, Cell("Records with a key that were looked at.", unit="records", moves=True)]
    murmur2: Annotated[
        int, Cell("Of these, in the partition where Java's clients put them.", unit="records", moves=True)
    ]
    crc32: Annotated[
        int, Cell("Of these, in the partition where librdkafka puts them by default.", unit="records", moves=True)
    ]
    split: Annotated[int, Cell("Keys that were met in several partitions.", unit="keys", moves=True)]


PROBE = Probe(
    connections=("kafka",),
    help="One row per topic under the environment's may_read: where the keys of some of its newest records are.",
    row=KafkaKey,
    requests=("ApiVersions", "DescribeAcls", "DescribeCluster", "Fetch", "ListOffsets", "Metadata"),
    rights=(
        "Describe on all topics",
        "Read on the topics under may_read, for records of them",
        "Describe on the cluster, to see that no ACL hides topics",
    ),
    parameters={
        "topics": Parameter(
            type="list[string]", default=[], help="shell patterns of topics; without, all that may be read"
        ),
        "records": Parameter(type="int", default=10, min=1, max=1000, help="records of a partition, at most"),
        "partitions": Parameter(type="int", default=50, min=1, max=1000, help="partitions in all, at most"),
        "bytes": Parameter(
            type="int", default=1 << 20, min=1 << 10, max=1 << 24, help="bytes in all, as stored; batches come whole"
        ),
    },
    waits_for="may_read",
)


def observe(
    kafka: "Kafka",
    *,
    topics: list[str] | None = None,
    records: int = 10,
    partitions: int = 50,
    bytes: int = 1 << 20,  # noqa: A002 - the parameter's name in runbooks
) -> Observed:
    """Observe the keys of some of the newest records of each partition; topics that may not be read are gaps."""
    there = kafka.topics()
    names = [
        name
        for name in there
        if (any(fnmatchcase(name, pattern) for pattern in topics) if topics else name in kafka.allowance)
    ]
    found, gaps = kafka.records(names, ReadLimits(records, partitions, bytes))
    if not topics and not names:
        gaps = [Gap("no records may be read: may_read: [PATTERN OF TOPICS] in the inventory allows it"), *gaps]
    keys: defaultdict[str, _Keys] = defaultdict(list)
    for record in found:
        if record.key is not None:
            keys[record.topic].append((record.key, record.partition))
    rows = [_row(name, len(there[name]), of) for name, of in sorted(keys.items())]
    return Observed(rows=rows, gaps=distinct([*kafka.topics_gaps(), *gaps]))


def _row(topic: str, partitions: int, keys: _Keys) -> KafkaKey:
    places = defaultdict(set)
    for key, partition in keys:
        places[key].add(partition)
    return KafkaKey(
        topic=topic,
        partitions=partitions,
        keyed=len(keys),
        murmur2=sum(of_java(key, partitions) == partition for key, partition in keys),
        crc32=sum(of_librdkafka(key, partitions) == partition for key, partition in keys),
        split=sum(len(where) > 1 for where in places.values()),
    )
