"""Write results to a topic, and read all of it back."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from runbook.evidence.store import NotKept, StoredFile, refuse_misplaced
from runbook.model.errors import UsageError, did_you_mean
from runbook.safety.redaction import Redaction
from runbook.stores.kafka_topic.assembly import Assembly
from runbook.stores.kafka_topic.client_settings import PATIENCE, for_asking, for_reading, for_writing

_READ_WITHIN = 600.0  # seconds for all of a topic; our judgement
_POLL = 0.5


class Topic:
    """A topic of results."""

    at_once = 1
    """A file's lines follow each other; its messages are sent together anyway."""

    def __init__(self, name: str, topic: str, settings: Mapping[str, Any], redaction: Redaction) -> None:
        """Use this topic; nothing is sent yet.

        Args:
            name: its address, as messages show it.
            topic: its name.
            settings: of librdkafka, secrets resolved.
            redaction: of those secrets.
        """
        self.name = name
        self._topic = topic
        self._settings = settings
        self._redaction = redaction
        self._producer: Any = None

    def write(self, path: str, content: bytes) -> None:
        """Write a file as messages, one per line, and wait until all replicas in sync have them.

        Raises:
            NotKept: the cluster did not take all of it; what it took is never read as a whole run.
        """
        from confluent_kafka import KafkaException

        refuse_misplaced(path)
        refused: list[str] = []

        def delivered(error: Any, _: Any) -> None:
            if error is not None:
                refused.append(error.str())

        try:
            producer = self._writer()
            for line in content.removesuffix(b"\n").split(b"\n"):
                _produce(producer, self._topic, _key(path), line, delivered)
            waiting = producer.flush(PATIENCE + 1)
        except (KafkaException, BufferError) as error:
            raise NotKept(self._said(f"{self.name} did not take {path}: {_text(error)}")) from error
        if refused or waiting:
            why = refused[0] if refused else f"{waiting} lines were not acknowledged within {PATIENCE:.0f} s"
            raise NotKept(self._said(f"{self.name} did not take all of {path}: {why}; it is not kept"))

    def sizes(self) -> dict[str, int]:
        """The whole runs and snapshots in the topic, with their bytes; reads all of it.

        Raises:
            UsageError: the topic can't be read to its end.
        """
        return {found.path: len(found.content) for found in self.read(lambda *_: True) if not found.trouble}

    def read(self, wanted: Callable[[str, int], bool]) -> Iterator[StoredFile]:
        """Read the topic to where it ends now; whole runs as soon as they are, and at last what is incomplete.

        Raises:
            UsageError: it can't be read to its end.
        """
        assembly = Assembly()
        for key, value in self._messages():
            yield from (found for found in assembly.add(key, value) if _asked_for(found, wanted))
        yield from assembly.rest()

    def _messages(self) -> Iterator[tuple[bytes | None, bytes | None]]:
        from confluent_kafka import Consumer, KafkaException

        try:
            consumer = Consumer(for_reading(self._settings))
        except KafkaException as error:
            raise UsageError(self._said(f"{self.name}: {_text(error)}")) from error
        try:
            yield from self._until_end(consumer)
        except KafkaException as error:
            raise UsageError(self._said(f"{self.name} could not be read: {_text(error)}")) from error
        finally:
            consumer.close()

    def _until_end(self, consumer: Any) -> Iterator[tuple[bytes | None, bytes | None]]:
        """Every message between the ends that are seen now; commits nothing, joins no group."""
        ends = self._assign_all(consumer)
        deadline = time.monotonic() + _READ_WITHIN
        while ends:
            if time.monotonic() > deadline:
                left = ", ".join(map(str, sorted(ends)))
                raise UsageError(f"{self.name} was not read to its end within {_READ_WITHIN:.0f} s: partitions {left}")
            for message in consumer.consume(1000, timeout=_POLL):
                end = ends.get(message.partition(), 0)
                if _is_at_end(message) or message.offset() + 1 >= end:
                    ends.pop(message.partition(), None)
                if message.error() is None and message.offset() < end:
                    yield message.key(), message.value()

    def _assign_all(self, consumer: Any) -> dict[int, int]:
        """Begin at the start of every partition that holds something; give where each ends now."""
        from confluent_kafka import TopicPartition

        ends: dict[int, int] = {}
        assigned = []
        topics = _topics(consumer)
        found = topics.get(self._topic)
        if found is None or found.error is not None:
            others = [name for name in topics if not name.startswith("__")]
            raise UsageError(
                f"{self.name}: there is no such topic, or we may not see it. {_other(self._topic, others)}"
            )
        for partition in sorted(found.partitions):
            first, end = _bounds(consumer, TopicPartition(self._topic, partition))
            if end > first:
                ends[partition] = end
                assigned.append(TopicPartition(self._topic, partition, first))
        consumer.assign(assigned)
        return ends

    def _writer(self) -> Any:
        from confluent_kafka import Producer

        if self._producer is None:
            producer = Producer(for_writing(self._settings))
            found = _topics(producer).get(self._topic)
            if found is None or found.error is not None:
                raise NotKept(
                    f"{self.name}: there is no such topic, or we may not see it. Create it first, with "
                    "cleanup.policy=delete and the retention that evidence needs (retention.ms=-1 keeps it for good)"
                )
            self._refuse_compaction()
            self._producer = producer
        return self._producer

    def _refuse_compaction(self) -> None:
        """Refuse a compacted topic; where we may not ask, the topic is taken as its owner made it.

        Raises:
            NotKept: it is compacted.
        """
        from confluent_kafka import KafkaException
        from confluent_kafka.admin import AdminClient
        from confluent_kafka.admin import ConfigResource as Resource  # type: ignore[attr-defined]  # public, not listed

        resource = Resource(Resource.Type.TOPIC, self._topic)
        client = AdminClient(for_asking(self._settings))
        try:
            [answer] = client.describe_configs([resource]).values()
            policy = answer.result(PATIENCE)["cleanup.policy"].value
        except (KafkaException, KeyError):
            return
        if "compact" in policy:
            raise NotKept(
                f"{self.name} is compacted: of each run only the last line would stay. "
                "Give the topic cleanup.policy=delete"
            )

    def _said(self, text: str) -> str:
        return self._redaction.text(text)


def _is_at_end(message: Any) -> bool:
    """Whether a message only says that its partition ends here, as after one that is left out (an aborted write).

    Raises:
        KafkaException: it says that the partition can't be read.
    """
    from confluent_kafka import KafkaError, KafkaException

    error = message.error()
    if error is None or (error.code() != KafkaError._PARTITION_EOF and error.retriable()):  # noqa: SLF001 - public
        return False
    if error.code() != KafkaError._PARTITION_EOF:  # noqa: SLF001 - its public name
        raise KafkaException(error)
    return True


def _bounds(consumer: Any, partition: Any) -> tuple[int, int]:
    """The first offset of a partition, and the one after its last.

    Raises:
        KafkaException: they can't be told, or nobody told them within the patience.
    """
    found: tuple[int, int] = _patiently(partial(consumer.get_watermark_offsets, partition, timeout=PATIENCE))
    return found


def _topics(client: Any) -> Mapping[str, Any]:
    """The metadata of every topic, by name: asking for one by its name might create it.

    Raises:
        KafkaException: nobody told within the patience.
    """
    found: Mapping[str, Any] = _patiently(partial(client.list_topics, timeout=PATIENCE)).topics
    return found


def _other(topic: str, others: Sequence[str]) -> str:
    """What whoever reads may have meant."""
    return did_you_mean(topic, others, "kafka-topics.sh --list") if others else "We see no topic at all"


def _patiently(ask: Callable[[], Any]) -> Any:
    """What a cluster answers, asked again while its leadership moves, or while the broker that was asked goes.

    librdkafka asks again twice only, or not at all, which takes less time than brokers need to agree on who leads.

    Raises:
        KafkaException: it answers something else, or nothing within the patience.
    """
    from confluent_kafka import KafkaError, KafkaException

    passing = {
        KafkaError.NOT_LEADER_FOR_PARTITION,
        KafkaError.LEADER_NOT_AVAILABLE,
        KafkaError.FENCED_LEADER_EPOCH,
        KafkaError.UNKNOWN_LEADER_EPOCH,
        KafkaError.OFFSET_NOT_AVAILABLE,
        KafkaError._TRANSPORT,  # noqa: SLF001 - its public name
    }
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return ask()
        except KafkaException as error:
            if error.args[0].code() not in passing or time.monotonic() > deadline:
                raise
            time.sleep(_POLL)


def _produce(producer: Any, topic: str, key: bytes, line: bytes, delivered: Callable[[Any, Any], None]) -> None:
    try:
        producer.produce(topic, key=key, value=line, on_delivery=delivered)
    except BufferError:  # the queue is full: give the brokers time
        producer.poll(PATIENCE)
        producer.produce(topic, key=key, value=line, on_delivery=delivered)
    producer.poll(0)


def _key(path: str) -> bytes:
    room, environment, *_ = path.split("/")
    run = path.rpartition("/")[2].partition(".")[0]
    return f"{environment if room == 'runs' else room}/{run}".encode()


def _asked_for(found: StoredFile, wanted: Callable[[str, int], bool]) -> bool:
    return bool(found.trouble) or wanted(found.path, len(found.content))


def _text(error: Exception) -> str:
    from confluent_kafka import KafkaError

    first = error.args[0] if error.args else error
    if hasattr(first, "code") and first.code() in (KafkaError._TRANSPORT, KafkaError._TIMED_OUT):  # noqa: SLF001 - public
        return f"no broker answered in {PATIENCE:.0f} s"
    return first.str() if hasattr(first, "str") else str(first)
