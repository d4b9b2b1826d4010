"""Read what a measurement writes, by assignment: no group, no commit. Tell what a consumer saw of each trial."""

import time
from typing import Any

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, Message, TopicPartition

from runbook.canary.messages import CanaryJob, CanaryReport, ParentLine
from runbook.canary.payload import HEAD
from runbook.canary.reader import by_assignment
from runbook.canary.seen import Gaps, Latencies
from runbook.model.measurement import Consumed, Trial

_AT_ONCE = 1_000  # records that are taken before anything else is looked at


def sink(job: CanaryJob, settings: dict[str, Any], line: ParentLine) -> None:
    """Read all topics from their beginning; tell what came of a trial at each `sent COUNT`, until `stop`."""
    consumer = Consumer(by_assignment(settings, job.mark) | {"socket.nagle.disable": True})  # as Java clients do
    try:
        topics = {trial.topic: trial.setting.partitions for trial in job.trials}
        places = [TopicPartition(name, n, OFFSET_BEGINNING) for name, count in topics.items() for n in range(count)]
        consumer.assign(places)
        consumer.poll(0.5)
        line.tell(CanaryReport("ready"))
        for trial in job.trials:
            read = _Reader(trial, consumer, line).go()
            if read is None:
                return
            line.tell(CanaryReport("measured", seen=read))
    finally:
        consumer.close()


class _Reader:
    def __init__(self, trial: Trial, consumer: Consumer, line: ParentLine) -> None:
        self._trial = trial
        self._consumer = consumer
        self._line = line
        self._seen = bytearray(trial.records)
        self._latencies, self._gaps = Latencies(), Gaps()
        self._highest: dict[int, int] = {}
        self._epochs: dict[int, int] = {}
        self._records = self._duplicates = self._disorder = self._elections = 0
        self._fault = ""

    def go(self) -> Consumed | None:
        """Read one trial to its end; None when told to stop."""
        sent, end, looked = -1, 0.0, 0.0
        begun, thread, quiet = 0.0, 0.0, False
        while sent < 0 or (time.monotonic() < end and not (quiet and self._records >= sent)):
            quiet = self._take(self._consumer.poll(0.1))
            for message in self._consumer.consume(_AT_ONCE, 0):
                self._take(message)
            if not begun and self._records:
                begun, thread = time.monotonic(), time.thread_time()
            if sent < 0 and time.monotonic() > looked + 0.1 and (word := self._line.said()):
                looked = time.monotonic()
                if word == "stop":
                    return None
                sent, end = int(word.partition(" ")[2]), looked + self._trial.drain
        used = (time.thread_time() - thread) / max(time.monotonic() - begun, 1e-9) if begun else 0.0
        return Consumed(
            records=self._records,
            missing=[number for number in range(sent) if not self._seen[number]],
            whole=self._records >= sent or self._at_ends(),
            fault=self._fault,
            duplicates=self._duplicates,
            disorder=self._disorder,
            elections=self._elections,
            latency=self._latencies.told(),
            gaps=self._gaps.told() if self._trial.spread else [],
            thread=round(used, 3),
        )

    def _at_ends(self) -> bool:
        """Whether every partition of the topic was read as far as it goes now."""
        places = [TopicPartition(self._trial.topic, n) for n in range(self._trial.setting.partitions)]
        try:
            ends = [self._consumer.get_watermark_offsets(place, 5)[1] for place in places]
        except KafkaException as error:
            self._fault = self._fault or f"where the topic ends could not be found out: {error.args[0].str()}"
            return False
        return all(place.offset >= end for place, end in zip(self._consumer.position(places), ends, strict=True) if end)

    def _take(self, message: Message | None) -> bool:
        """Count a record; whether there was none."""
        if message is None:
            return True
        if (error := message.error()) is not None:
            if not error.retriable():
                self._fault = self._fault or f"a record could not be read: {error.str()}"
            return False
        self._count(message)
        return False

    def _count(self, message: Message) -> None:
        now = time.monotonic()
        trial, number, at = HEAD.unpack_from(message.value() or b"")
        if trial != self._trial.number:
            return  # of an earlier trial, which has ended without it
        partition = int(message.partition() or 0)
        if self._seen[number]:
            self._duplicates += 1
            return
        self._seen[number] = 1
        self._records += 1
        self._disorder += number < self._highest.get(partition, -1)
        self._highest[partition] = max(number, self._highest.get(partition, -1))
        self._gaps.add(partition, now)
        epoch = message.leader_epoch()
        if epoch is not None:
            self._elections += epoch != self._epochs.setdefault(partition, epoch)
            self._epochs[partition] = epoch
        if number >= self._trial.warm:
            self._latencies.add(now - at / 1e9)
