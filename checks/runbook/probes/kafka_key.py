"""Where keys are: of some of the newest records of a topic, whether a known hash put them there. No key is told."""

from collections import defaultdict
from typing import TYPE_CHECKING, Annotated

from runbook.answers.kafka import ReadLimits
from runbook.formats.key_hash import of_java, of_librdkafka, of_sarama
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row
from runbook.probes._newest_records import LIMITS, REQUESTS, RIGHTS, TOPICS, newest_records

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
    fnv1a: Annotated[
        int, Cell("Of these, in the partition where Sarama puts them by default.", unit="records", moves=True)
    ]
    split: Annotated[int, Cell("Keys that were met in several partitions.", unit="keys", moves=True)]


PROBE = Probe(
    connections=("kafka",),
    help="One row per topic under the environment's may_read: where the keys of some of its newest records are.",
    row=KafkaKey,
    requests=REQUESTS,
    rights=RIGHTS,
    parameters={
        "topics": TOPICS,
        **LIMITS,
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
    found, gaps = newest_records(kafka, topics, ReadLimits(records, partitions, bytes))
    there = kafka.topics()
    keys: defaultdict[str, _Keys] = defaultdict(list)
    for record in found:
        if record.key is not None:
            keys[record.topic].append((record.key, record.partition))
    rows = [_row(name, len(there[name]), of) for name, of in sorted(keys.items())]
    return Observed(rows=rows, gaps=gaps)


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
        fnv1a=sum(of_sarama(key, partitions) == partition for key, partition in keys),
        split=sum(len(where) > 1 for where in places.values()),
    )
