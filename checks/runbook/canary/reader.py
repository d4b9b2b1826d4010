"""Read what came through the link and what was written here, by assignment: no group, no commit."""

import time
from typing import Any

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, Message, TopicPartition

from runbook.canary.messages import CanaryJob, CanaryReport, ParentLine
from runbook.connections.kafka.properties import for_librdkafka
from runbook.model.probe import Deadline

_BATCH = 0.2  # seconds between two tellings
_LOOK = 1.0  # seconds between two looks for the topic that the link makes
_ANSWER = 5.0  # seconds in which every leader must tell where its partition ends. Our judgement
_LAST = 20.0  # seconds in which the rest must have been read, once told to stop. Our judgement


def read(job: CanaryJob, settings: dict[str, Any], line: ParentLine) -> None:
    """Read until `stop`, then on to the ends that the topics have at that moment, and tell whether that was all."""
    config = by_assignment(settings, job.mark) | {
        "enable.partition.eof": True,  # the end of a transaction has an offset, and is no record
        "fetch.wait.max.ms": 100,
    }
    consumer = Consumer(config)
    try:
        reading = _Reading(job, consumer, line)
        line.tell(CanaryReport("ready"))
        reading.go()
        line.tell(CanaryReport("ended", why=reading.rest()))
    finally:
        consumer.close()


def by_assignment(settings: dict[str, Any], mark: str) -> dict[str, Any]:
    """Settings of a consumer that is told what to read; `mark` is the name that librdkafka wants of its group."""
    return for_librdkafka(settings, Deadline(60.0, patience=10.0)) | {
        "group.id": mark,  # nobody joins, and nothing is committed
        "enable.auto.commit": False,
        "enable.auto.offset.store": False,
        "auto.offset.reset": "error",
        "topic.metadata.refresh.interval.ms": 5000,
    }


class _Reading:
    def __init__(self, job: CanaryJob, consumer: Consumer, line: ParentLine) -> None:
        self._job = job
        self._consumer = consumer
        self._line = line
        self._copied: list[tuple[int, float]] = []
        self._read: list[tuple[int, float]] = []
        self._parts: dict[str, list[TopicPartition]] = {}
        self._reached: dict[tuple[str, int], int] = {}
        self._fault = ""
        self._looked = self._reported = 0.0
        self._topics = 1 if job.alone else 2  # the topic here, and the link's copy of the source's
        self._which = "the topic" if job.alone else "the copied topic"

    def go(self) -> None:
        """Read until told to stop."""
        while not self._line.heard("stop"):
            self._step()

    def _step(self) -> None:
        now = time.monotonic()
        if len(self._parts) < self._topics and now > self._looked + _LOOK:
            self._looked = now
            self._look()
        if self._parts:
            self._take(self._consumer.poll(0.05))
        else:
            time.sleep(0.05)
        if now > self._reported + _BATCH:
            self._reported = now
            self._tell()

    def _look(self) -> None:
        """Look for the topics of this drill that are not read yet."""
        try:
            topics = self._consumer.list_topics(timeout=2).topics
        except KafkaException:
            return  # the next look may see them; that a topic was never seen is told in the end
        for name, topic in topics.items():
            if self._job.mark in name and name not in self._parts and topic.partitions:
                self._parts[name] = [
                    TopicPartition(name, partition, OFFSET_BEGINNING) for partition in sorted(topic.partitions)
                ]
                self._consumer.incremental_assign(self._parts[name])

    def _take(self, message: Message | None) -> None:
        if message is None:
            return
        error = message.error()
        if error is not None:
            if error.name() == "_PARTITION_EOF":
                self._reached[str(message.topic()), int(message.partition() or 0)] = int(message.offset() or 0)
            elif not error.retriable():
                self._fault = self._fault or f"a record could not be read: {error.str()}"
            return
        written, number = (message.value() or b"").split(b" ", 2)[:2]
        if written.decode() == self._job.mark and not self._job.alone:
            self._copied.append((int(number), time.monotonic()))
        elif message.topic() == self._job.topic:
            self._read.append((int(number), time.monotonic()))

    def _tell(self) -> None:
        for kind, records in (("copied", self._copied), ("read", self._read)):
            if records:
                self._line.tell(CanaryReport(kind, records=records))  # type: ignore[arg-type]  # one of its kinds
        self._copied, self._read = [], []

    def _ends(self, parts: list[TopicPartition]) -> dict[tuple[str, int], tuple[int, int]]:
        """Where partitions begin and end. A leader that is new can't tell for a moment; it is asked again."""
        end = time.monotonic() + _ANSWER
        while True:
            try:
                return {(part.topic, part.partition): self._consumer.get_watermark_offsets(part, 10) for part in parts}
            except KafkaException:
                if time.monotonic() > end:
                    raise
            self._step()

    def rest(self) -> str:
        """Read each partition up to its end as of now; return why records may be missing, or ""."""
        end = time.monotonic() + _LAST
        alone = self._job.alone
        copies = [part for name, parts in self._parts.items() if (name == self._job.topic) is alone for part in parts]
        if not copies:
            return "its topic was not found" if alone else "no topic of it came through the link"
        try:
            ends = self._ends(copies)
        except KafkaException as error:
            return f"where {self._which} ends could not be found out: {error.args[0].str()}"
        if any(low > 0 for low, _ in ends.values()):
            return f"records of {self._which} were removed before they were counted"
        open_ = {place: high for place, (_, high) in ends.items() if high > 0}
        while open_ and time.monotonic() < end and not self._fault:
            self._step()
            for position in self._consumer.position([TopicPartition(*place) for place in open_]):
                place = (position.topic, position.partition)
                if max(position.offset, self._reached.get(place, 0)) >= open_[place]:
                    del open_[place]
        self._tell()
        return self._fault or (f"{self._which} was not read to its end in {_LAST:g} s" if open_ else "")
