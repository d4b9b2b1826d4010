"""What a healthy lab holds: a few ordinary topics, some records, a consumer group, and Kafka's own topics."""

import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

from kafka_lab.admin import kafka_python, partitions, settings
from kafka_lab.configuration import settings_of
from kafka_lab.errors import LabError
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_for_full_isr, wait_until_all_see
from runbook.judge.summary import counted

_RECORDS = 60
_WITHIN = 30.0
PIECE = 100_000

# Clicks takes min.insync.replicas from the cluster, the others have their own: both ways are seen in practice.
_TOPICS = {"orders": (6, True), "payments": (3, True), "clicks": (6, False)}

GROUP: Final = "billing"
GROUP_READS: Final = "orders"
"""The lab's consumer group and the topic of which it has read and committed all."""

WRITTEN_PLAINLY: Final = ("payments", "clicks")
"""Topics that are not written in transactions."""

INTERNAL = ("__consumer_offsets", "__transaction_state")


def fill(lab: LabState) -> None:
    """Create the topics, write and read some records; Kafka's own topics come into being by that.

    Raises:
        LabError: The cluster refused, or took too long.
    """
    declared = settings_of(lab, lab.brokers[0])
    copies = int(declared["default.replication.factor"])
    own = {"min.insync.replicas": str(declared["min.insync.replicas"])}
    create_topics(lab, {name: (count, copies, own if says else {}) for name, (count, says) in _TOPICS.items()})
    wait_for_full_isr(lab)
    for topic in WRITTEN_PLAINLY:
        write_some(lab, topic)
    _write_in_transaction(lab, GROUP_READS)
    read_some(lab, GROUP_READS, group=GROUP)
    wait_until_all_see(lab, lambda seen: set(INTERNAL) <= set(seen.topics), "Kafka's own topics", within=_WITHIN)
    wait_for_full_isr(lab)


def create_topics(lab: LabState, topics: Mapping[str, tuple[int, int, dict[str, str]]]) -> None:
    """Create those of the topics that do not exist, and wait until metadata shows them.

    Args:
        lab: The lab.
        topics: By name: number of partitions, replication factor, configuration.

    Raises:
        LabError: The cluster refused, or took too long.
    """
    from kafka.admin import NewTopic

    there = partitions(lab)
    wanted = [
        NewTopic(name, num_partitions=count, replication_factor=factor, topic_configs=configuration)
        for name, (count, factor, configuration) in topics.items()
        if name not in there
    ]
    if wanted:
        with kafka_python(lab) as admin:
            admin.create_topics(wanted)
    wait_until_all_see(lab, lambda seen: set(topics) <= set(seen.topics), "the new topics", within=_WITHIN)


def delete_topics(lab: LabState, names: Iterable[str]) -> None:
    """Delete those of the topics that exist, and wait until metadata shows them no more.

    Raises:
        LabError: The cluster refused, or took too long.
    """
    there = set(names) & set(partitions(lab))
    if there:
        with kafka_python(lab) as admin:
            admin.delete_topics(sorted(there))
    wait_until_all_see(lab, lambda seen: not there & set(seen.topics), "topics to go", within=_WITHIN)


def write_some(lab: LabState, topic: str) -> None:
    """Write sixty records with keys.

    Raises:
        LabError: They could not be written.
    """
    from confluent_kafka import Producer

    producer = Producer(settings(lab) | {"acks": "all", "linger.ms": 5})
    _produce(producer, topic)
    _all_written(producer, topic)


def _write_in_transaction(lab: LabState, topic: str) -> None:
    from confluent_kafka import KafkaException, Producer

    producer = Producer(settings(lab) | {"transactional.id": "order-entry"})
    try:
        producer.init_transactions(_WITHIN)
        producer.begin_transaction()
        _produce(producer, topic)
        producer.commit_transaction(_WITHIN)
    except KafkaException as error:
        raise LabError(f"The first transaction of lab {lab.name} failed: {error}") from error


def _produce(producer: Any, topic: str) -> None:
    for number in range(_RECORDS):
        producer.produce(topic, key=f"key-{number}", value=f"{topic} record {number}")


def _all_written(producer: Any, topic: str) -> None:
    left = producer.flush(_WITHIN)
    if left:
        raise LabError(f"{counted(left, 'record')} could not be written to the lab's topic {topic} in {_WITHIN:.0f} s")


def read_some(lab: LabState, topic: str, *, group: str) -> None:
    """Have a group read sixty records on from where it is, and commit.

    Raises:
        LabError: It could not read them.
    """
    from confluent_kafka import Consumer

    consumer = Consumer(
        settings(lab) | {"group.id": group, "auto.offset.reset": "earliest", "enable.auto.commit": False}
    )
    try:
        consumer.subscribe([topic])
        deadline = time.monotonic() + _WITHIN
        seen = 0
        while seen < _RECORDS and time.monotonic() < deadline:
            record = consumer.poll(0.5)
            seen += record is not None and record.error() is None
        if seen < _RECORDS:
            raise LabError(f"The lab's group {group} read {seen} of {_RECORDS} records in {_WITHIN:.0f} s")
        consumer.commit(asynchronous=False)
    finally:
        consumer.close()


def write_records(lab: LabState, topic: str, values: Iterable[str]) -> None:
    """Write records with these values, without keys.

    Raises:
        LabError: They could not be written.
    """
    write_values(lab, topic, [value.encode() for value in values])


def write_values(lab: LabState, topic: str, values: Iterable[bytes]) -> None:
    """Write records with these bytes as values, without keys.

    Raises:
        LabError: They could not be written.
    """
    from confluent_kafka import Producer

    producer = Producer(settings(lab) | {"acks": "all"})
    for value in values:
        producer.produce(topic, value=value)
    _all_written(producer, topic)


def values_of(lab: LabState, topic: str) -> list[bytes]:
    """Read the values of all records that a topic holds now; none where there is no such topic.

    Raises:
        LabError: They could not be read.
    """
    return [record.value() or b"" for record in records_of(lab, topic)]


def records_of(lab: LabState, topic: str) -> list[Any]:
    """Read all records that a topic holds now, as confluent_kafka gives them; none where there is no such topic.

    Raises:
        LabError: They could not be read.
    """
    from confluent_kafka import Consumer, KafkaException, TopicPartition

    consumer = Consumer(
        settings(lab) | {"group.id": "lab-reads-all", "enable.partition.eof": True, "enable.auto.commit": False}
    )
    try:
        places = [TopicPartition(topic, number) for number in partitions(lab).get(topic, {})]
        for place in places:
            place.offset, _ = consumer.get_watermark_offsets(place, timeout=_WITHIN)
        consumer.assign(places)
        return _up_to_the_end(consumer, {place.partition for place in places})
    except KafkaException as error:
        raise LabError(f"Topic {topic} of lab {lab.name} could not be read: {error}") from error
    finally:
        consumer.close()


def _up_to_the_end(consumer: Any, left: set[int]) -> list[Any]:
    from confluent_kafka import KafkaError, KafkaException

    found = []
    deadline = time.monotonic() + _WITHIN
    while left:
        record = consumer.poll(0.5)
        if record is not None and record.error() is None:
            found.append(record)
        elif record is not None and record.error().code() == KafkaError._PARTITION_EOF:  # noqa: SLF001 - its public name
            left.discard(record.partition())
        elif record is not None:
            raise KafkaException(record.error())
        elif time.monotonic() > deadline:
            raise LabError(f"The end of a topic was not reached in {_WITHIN:.0f} s")
    return found


def empty_topic(lab: LabState, topic: str) -> None:
    """Delete all records of a topic, if it is there.

    Raises:
        LabError: The cluster refused.
    """
    from kafka import TopicPartition

    ends = {TopicPartition(topic, number): -1 for number in partitions(lab).get(topic, {})}  # -1: to the end
    if ends:
        with kafka_python(lab) as admin:
            admin.delete_records(ends)


def write_ballast(lab: LabState, topic: str, numbers: list[int], size: int) -> None:
    """Write at least `size` bytes to each of these partitions of a topic.

    Raises:
        LabError: They could not be written.
    """
    from confluent_kafka import Producer

    producer = Producer(settings(lab) | {"acks": "all"})
    piece = bytes(PIECE)
    for number in numbers:
        for _ in range(size // PIECE + 1):
            producer.produce(topic, value=piece, partition=number)
    _all_written(producer, topic)
