"""An application that runs twice, in two groups, of which one writes: each record once, in transactions."""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final, Self

from confluent_kafka import Consumer, KafkaException, Message, Producer, TopicPartition

from kafka_lab import LabState
from kafka_lab.admin import settings
from support.numbered_records import PARTITIONS, TOPIC

_WAIT: Final = 30.0  # seconds for the coordinator of transactions on a busy machine


class StandbyApplication:
    """Reads the numbered records in a group of its own; while it is active it writes them to the output.

    Attributes:
        written: partition → offset up to which it has written, that one left out.
    """

    def __init__(self, lab: LabState, group: str, output: str, transactional_id: str) -> None:
        """Not active yet."""
        self.written: dict[int, int] = {}
        self._output = output
        self._consumer = Consumer(
            settings(lab) | {"group.id": group, "auto.offset.reset": "earliest", "enable.auto.commit": False}
        )
        self._producer = Producer(settings(lab) | {"transactional.id": transactional_id})
        self._active = self._stop = False
        self._from: Mapping[int, int] | None = None
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._runs)

    @property
    def runs(self) -> bool:
        """Whether it has been started, and not ended."""
        return self._thread.is_alive()

    def __enter__(self) -> Self:
        self._consumer.subscribe([TOPIC])
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop = True
        self._thread.join(60)

    def activate(self, since: Mapping[int, int]) -> None:
        """Write from here on, beginning at these offsets; whoever wrote by its transactional.id is fenced.

        Who does so already goes on.
        """
        if self._active:
            return
        self._producer.init_transactions(_WAIT)
        self._from = since
        self._active = True

    def deactivate(self) -> Mapping[int, int]:
        """Write no more; gives the offset up to which it wrote, by partition."""
        with self._changed:
            self._active = False
            return dict(self.written)

    def _runs(self) -> None:
        while not self._stop:
            since, self._from = self._from, None
            self._goes_back_to(since or {})
            records = [record for record in self._consumer.consume(100, 0.2) if record.error() is None]
            with self._changed:
                if self._active and records and self._from is None:
                    new = [record for record in records if _offset(record) >= self.written.get(_partition(record), 0)]
                    if new and not self._writes(new):
                        self._goes_back_to(_first_offsets(new))
                        continue
            if records:
                with suppress(KafkaException):  # its group is being balanced: it reads some of them again
                    self._consumer.commit(asynchronous=False)
        self._consumer.close()

    def _goes_back_to(self, offsets: Mapping[int, int]) -> None:
        for partition, offset in offsets.items():
            self._consumer.seek(TopicPartition(TOPIC, partition, offset))

    def _writes(self, records: Sequence[Message]) -> bool:
        """Write them in one transaction; gives whether they are written: none of one that broke is."""
        try:
            self._producer.begin_transaction()
            for record in records:
                self._producer.produce(self._output, record.value(), partition=0)
            self._in_the_end(self._producer.commit_transaction)
        except KafkaException as error:
            self._active = self._gives_up(error)
            return False
        for record in records:
            self.written[_partition(record)] = _offset(record) + 1
        return True

    def _gives_up(self, error: KafkaException) -> bool:
        """End a transaction that broke, as a broker died; gives whether another can be begun: who is fenced can't."""
        if not error.args[0].fatal():
            with suppress(KafkaException):
                self._in_the_end(self._producer.abort_transaction)
                return True
        return False

    def _in_the_end(self, ends: Callable[[float], None]) -> None:
        """Whoever is not told in time whether a transaction has ended asks again."""
        while True:
            try:
                return ends(_WAIT)
            except KafkaException as error:
                if self._stop or not error.args[0].retriable():
                    raise


def _partition(record: Message) -> int:
    partition = record.partition()
    assert partition is not None
    assert partition < PARTITIONS
    return partition


def _offset(record: Message) -> int:
    offset = record.offset()
    assert offset is not None
    return offset


def _first_offsets(records: Sequence[Message]) -> Mapping[int, int]:
    """The least offset of each partition among these records."""
    first: dict[int, int] = {}
    for record in records:
        first.setdefault(_partition(record), _offset(record))
    return first
