"""Write numbered records, at a steady rate, and tell which of them were acknowledged when."""

import time
from typing import Any

from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient

from runbook.canary.messages import CanaryJob, CanaryReport, ParentLine
from runbook.canary.topics import create, remove
from runbook.connections.kafka.properties import for_librdkafka
from runbook.model.probe import Deadline

GIVEN_UP = 10_000  # milliseconds after which a record counts as not acknowledged. Our judgement
_BATCH = 0.2  # seconds between two tellings
_LAST = 3.0  # seconds in which what is on its way may still be acknowledged, when writing ends


def write(job: CanaryJob, settings: dict[str, Any], line: ParentLine) -> None:
    """Make the topic, write on `go` until `stop`, and remove every topic of the drill at this site on `clean`.

    Raises:
        CannotLook: the topic can't be made.
    """
    clock = Deadline(60.0, patience=10.0)
    admin = AdminClient(for_librdkafka(settings, clock))
    made = create(admin, job.topic, led_by_each=job.alone, insist=job.alone and job.acks == "all")
    try:
        producer = Producer(_settings(job, for_librdkafka(settings, clock)))
        producer.list_topics(job.topic, timeout=10)  # the first record shall not pay for finding out where to go
        line.tell(CanaryReport("ready", made=made))
        if line.wait() == "go":
            _Writing(job, producer, made.partitions, line).go()
        while line.wait() != "clean":
            pass
    finally:
        line.tell(CanaryReport("cleaned", left=remove(admin, job.mark, job.topic)))


def _settings(job: CanaryJob, settings: dict[str, Any]) -> dict[str, Any]:
    return settings | {
        "acks": job.acks,
        "enable.idempotence": job.acks == "all",  # it needs all, and without it retries may write a record twice
        "message.timeout.ms": GIVEN_UP,
        "linger.ms": 0,
        "topic.metadata.refresh.interval.ms": 5000,
        "partitioner": "consistent",
    }


class _Writing:
    def __init__(self, job: CanaryJob, producer: Producer, partitions: int, line: ParentLine) -> None:
        self._job = job
        self._producer = producer
        self._partitions = partitions
        self._line = line
        self._acknowledged: list[tuple[int, float]] = []

    def go(self) -> None:
        """Write until told to stop, or until the time is over."""
        begun = time.monotonic()
        number, why = 0, f"it stopped by itself after {self._job.seconds / 60:g} minutes"
        reported = begun
        while time.monotonic() < begun + self._job.seconds:
            due = begun + number / self._job.rate
            self._producer.poll(max(0.0, min(due - time.monotonic(), 0.05)))
            if time.monotonic() >= due:
                self._send(number)
                number += 1
            if time.monotonic() >= reported + _BATCH:
                reported = time.monotonic()
                self._tell()
                if self._line.heard("stop"):
                    why = ""
                    break
        self._producer.flush(_LAST)
        self._producer.purge()
        self._producer.flush(1)
        self._tell()
        self._line.tell(CanaryReport("ended", why=why))

    def _send(self, number: int) -> None:
        value = f"{self._job.topic} {number} ".encode().ljust(self._job.size, b".")
        try:
            self._producer.produce(
                self._job.topic, value, partition=number % self._partitions, on_delivery=self._delivered(number)
            )
        except BufferError:  # the cluster takes nothing: this record is one that could not be written
            return

    def _delivered(self, number: int) -> Any:
        def delivered(error: Any, _: Any) -> None:
            if error is None:
                self._acknowledged.append((number, time.monotonic()))

        return delivered

    def _tell(self) -> None:
        if self._acknowledged:
            self._line.tell(CanaryReport("acknowledged", records=self._acknowledged))
            self._acknowledged = []
