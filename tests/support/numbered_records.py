"""A writer that numbers its records, and a reader that notes which it worked on: what is lost or doubled is seen."""

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Self

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition

from kafka_lab import LabState
from kafka_lab.admin import settings
from runbook.connections.kafka.introduction import listener
from support.until import until

TOPIC = "numbered"
GROUP = "counting"
PARTITIONS = 3
_PAUSE = 0.01  # seconds between records: a hundred a second
_UNTIL_LOST = 3000  # ms, after which the client gives a record up
_ENOUGH = 500  # records, some seconds of writing
_ON_THEIR_WAY = 200  # records of the last two seconds
_WARNING = 4  # of syslog
_EVERY = 1000  # ms between looks for new topics
_ANSWERED = 5.0  # seconds for what is committed last to be answered


class Place(NamedTuple):
    """Where a cluster said that a record lies."""

    lab: LabState
    topic: str
    partition: int
    offset: int


class Ledger:
    """What was acknowledged, and how often each record was worked on, over all sites.

    Attributes:
        acknowledged: number → name of the site that acknowledged the record.
        places: number → where that site said it lies, as it was acknowledged.
        worked_on: number → how often.
        resets: what readers' clients said where they left their position for another.
    """

    def __init__(self) -> None:
        """Nothing yet."""
        self.acknowledged: dict[int, str] = {}
        self.places: dict[int, Place] = {}
        self.worked_on: Counter[int] = Counter()
        self.resets: list[str] = []
        self.next = 0

    def acknowledges(self, number: int, lab: LabState, record: Message) -> None:
        """Note that a site has acknowledged a record."""
        topic, partition, offset = record.topic(), record.partition(), record.offset()
        if topic is not None and partition is not None and offset is not None:
            self.places[number] = Place(lab, topic, partition, offset)
        self.acknowledged[number] = lab.name

    @property
    def lost(self) -> set[int]:
        """Records that were acknowledged and never worked on."""
        return self.acknowledged.copy().keys() - self.worked_on.copy().keys()

    def of(self, site: str) -> set[int]:
        """Records that a site acknowledged."""
        return {number for number, where in self.acknowledged.copy().items() if where == site}

    def read_of(self, site: str) -> bool:
        """Whether a site has acknowledged hundreds of records, and all but the newest of them were worked on."""
        written = sorted(self.of(site))
        return len(written) > _ENOUGH and set(written[:-_ON_THEIR_WAY]) <= self.worked_on.keys()

    @property
    def doubled(self) -> set[int]:
        """Records that were worked on more than once."""
        return {number for number, times in self.worked_on.copy().items() if times > 1}


class Writer:
    """An application that writes numbered records at one site, with acks=all, until it is stopped."""

    def __init__(self, ledger: Ledger, lab: LabState) -> None:
        """Write to this site."""
        self._ledger = ledger
        self._lab = lab
        self._producer = Producer(
            settings(lab) | {"acks": "all", "enable.idempotence": True, "message.timeout.ms": _UNTIL_LOST}
        )
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._write)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def goes_on(self) -> bool:
        """Whether it still writes."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Stop, and wait for what is on its way."""
        self._stop.set()
        self._thread.join(60)
        self._producer.flush(10)

    def _write(self) -> None:
        while not self._stop.wait(_PAUSE):
            number = self._ledger.next
            self._ledger.next += 1
            self._produces(number)
            self._producer.poll(0)

    def _produces(self, number: int) -> None:
        try:
            self._producer.produce(
                TOPIC, str(number).encode(), partition=number % PARTITIONS, on_delivery=self._delivered
            )
        except KafkaException as error:  # a broker that has just come back may not know the topic for a moment
            if error.args[0].code() != KafkaError._UNKNOWN_TOPIC:
                raise

    def _delivered(self, error: KafkaError | None, record: Message) -> None:
        value = record.value()
        if error is None and value is not None:
            self._ledger.acknowledges(int(value), self._lab, record)


class Reader:
    """An application that reads them in a group and commits what it has worked on; new partitions from their end."""

    def __init__(self, ledger: Ledger, lab: LabState, pattern: str, reached: Mapping[str, Any] | None = None) -> None:
        """Read topics of a pattern at this site; `reached` has other settings than the lab's own."""
        self._ledger = ledger
        self._consumer = Consumer(
            settings(lab)
            | {
                "group.id": GROUP,
                "auto.offset.reset": "latest",
                "enable.auto.commit": False,
                "topic.metadata.refresh.interval.ms": _EVERY,
                "on_commit": self._answered,
                "log_level": _WARNING,
                "logger": listener(self._note_reset),
            }
            | dict(reached or {})
        )
        self._unanswered = 0
        self._consumer.subscribe([pattern])
        self._stop = threading.Event()
        # It may wait for a coordinator for ever when it leaves the group (librdkafka, issue 3740).
        self._thread = threading.Thread(target=self._read, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop, and leave the group."""
        self._stop.set()
        self._thread.join(60)

    def _note_reset(self, words: str) -> None:
        if "offset reset" in words:
            self._ledger.resets.append(words)

    def _note_error(self, error: KafkaError) -> None:
        """What came in place of a record; nothing is done about it."""

    def _read(self) -> None:
        while not self._stop.is_set():
            came = self._consumer.consume(200, 0.2)
            for error in filter(None, (record.error() for record in came)):
                self._note_error(error)
            done: dict[tuple[str, int], int] = {}
            for record in came:
                value, topic, partition, offset = record.value(), record.topic(), record.partition(), record.offset()
                if record.error() is not None or topic is None or partition is None or offset is None:
                    continue
                if value is not None:
                    self._ledger.worked_on[int(value)] += 1
                done[topic, partition] = offset + 1
            if done:
                self._commits([TopicPartition(*place, offset) for place, offset in done.items()])
        self._ends()

    def _commits(self, places: Sequence[TopicPartition]) -> None:
        """Commit these, which were worked on; what can't be committed is read again elsewhere.

        Without places the client would commit its position, which is its word and not ours for what was worked on.
        It waits for no answer: where the group's coordinator dies at that moment, librdkafka may wait for ever.
        """
        with suppress(KafkaException):
            self._consumer.commit(offsets=[*places], asynchronous=True)
            self._unanswered += 1

    def _answered(self, _: KafkaError | None, __: Sequence[TopicPartition]) -> None:
        self._unanswered -= 1

    def _ends(self) -> None:
        """Leave the group when what was committed last is answered."""
        until(self._all_answered, _ANSWERED)
        self._consumer.close()

    def _all_answered(self) -> bool:
        if self._unanswered > 0:
            self._consumer.poll(0.1)
        return self._unanswered <= 0


def settled(ledger: Ledger, within: float) -> None:
    """Wait until nothing that was acknowledged is left to read, for so many seconds at most."""
    until(lambda: not ledger.lost, within)
