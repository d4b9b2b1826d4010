"""Write trials of a measurement at a steady rate, and tell what a producer saw of each."""

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from confluent_kafka import KafkaException, Producer
from confluent_kafka.admin import AdminClient
from msgspec import structs

from runbook.canary.leftovers import hold, release, sweep
from runbook.canary.messages import CanaryJob, CanaryReport, ParentLine
from runbook.canary.payload import HEAD, payloads
from runbook.canary.seen import Gaps, Latencies
from runbook.canary.topics import PATIENCE, create, remove
from runbook.connections.kafka.errors import from_librdkafka
from runbook.connections.kafka.properties import for_librdkafka
from runbook.model.errors import CannotLook
from runbook.model.measurement import Produced, Trial
from runbook.model.probe import Deadline

_BUFFER = 32_768  # KiB, as the Java producer's buffer.memory: a larger one only hides for longer what is held up
_TICK = 0.001  # seconds; librdkafka knows no shorter time to wait
_AT_ONCE = 200  # records that are sent before acknowledgements are looked at
_ANY = -1  # the partition that the client's partitioner chooses
_STATISTICS = 250  # milliseconds


def load(job: CanaryJob, settings: dict[str, Any], line: ParentLine) -> None:
    """Remove what earlier runs left, make the topics, and write a trial at each `go`; remove them on `clean`.

    Raises:
        CannotLook: a topic can't be made, or it is not the cluster that is meant.
    """
    clock = Deadline(60.0, patience=10.0)
    config = for_librdkafka(settings, clock) | {"topic.metadata.refresh.interval.ms": 5000}
    admin = AdminClient(config)
    refuse_another(admin, job.cluster)
    held = hold(job.mark)
    swept, standing = sweep(admin, job.topic)
    left, asked = [job.mark], list[str]()

    def creating() -> None:
        asked.append(job.mark)
        line.tell(CanaryReport("creating"))

    try:
        for topic, partitions in {trial.topic: trial.setting.partitions for trial in job.trials}.items():
            made = create(admin, topic, led_by_each=True, insist=True, partitions=partitions, before=creating)
        line.tell(CanaryReport("ready", made=structs.replace(made, swept=swept, standing=standing)))
        trials = iter(job.trials)
        while (word := line.wait()) != "clean":
            if word == "go":
                line.tell(CanaryReport("measured", written=_Writer(next(trials), config, line).go()))
    finally:
        left = remove(admin, job.mark, job.mark) if asked else []
        line.tell(CanaryReport("cleaned", left=left))
        if held is not None and not left:
            release(job.mark)


def refuse_another(admin: AdminClient, expected: str) -> None:
    """Write nothing to a cluster that is not the one that the inventory pins.

    Raises:
        CannotLook: it is another one, or can't be asked.
    """
    try:
        found = str(admin.list_topics(timeout=PATIENCE).cluster_id or "")
    except KafkaException as error:
        raise from_librdkafka(error.args[0], "the cluster") from None
    if expected and found != expected:
        raise CannotLook(f"the inventory has cluster_id {expected}, and this is {found or 'a cluster that tells none'}")


def clean(job: CanaryJob, settings: dict[str, Any], line: ParentLine) -> None:
    """Remove the topics of a run whose writer is gone."""
    left = remove(AdminClient(for_librdkafka(settings, Deadline(60.0, patience=10.0))), job.mark, job.mark)
    if not left:
        release(job.mark)
    line.tell(CanaryReport("cleaned", left=left))


class _Writer:
    def __init__(self, trial: Trial, config: dict[str, Any], line: ParentLine) -> None:
        of = trial.setting
        self._trial = trial
        self._line = line
        self._pool = payloads(of.size)
        self._latencies, self._lateness, self._gaps = Latencies(), Latencies(), Gaps()
        self._errors: Counter[str] = Counter()
        self._open = set[int]()
        self._acknowledged = self._counted = 0
        self._held = self._held_until = self._last = 0.0
        self._wire: int | None = None
        own = {
            "acks": of.acks,
            "enable.idempotence": of.acks == "all",  # it needs all, as in the Java producer
            "linger.ms": of.linger_ms,
            "batch.size": of.batch_size,
            "compression.type": of.compression,
            "socket.nagle.disable": True,  # as Java clients do
            "queue.buffering.max.kbytes": _BUFFER,
            "queue.buffering.max.messages": 1_000_000,
            "message.timeout.ms": 120_000,  # the Java producer's delivery.timeout.ms
            "message.max.bytes": 1_000_000,
            "statistics.interval.ms": _STATISTICS,
            "stats_cb": self._count_wire,
            "on_delivery": self._delivered,
        }
        self._producer = Producer(config | own)
        # The first record shall not pay for finding out where to go.
        self._producer.list_topics(trial.topic, timeout=10)

    def go(self) -> Produced:
        trial, producer, machine = self._trial, self._producer, BusyMachine()
        begun, thread = time.monotonic(), time.thread_time()
        end, number, heard, counting = begun + trial.seconds, 0, begun, begun
        while number < trial.records and (now := time.monotonic()) < end:
            due = min(trial.records, int((now - begun) * trial.rate) + 1, number + _AT_ONCE)
            if number < due and number >= trial.warm:
                self._lateness.add(max(0.0, now - max(begun + number / trial.rate, self._held_until)))
            for self_number in range(number, due):
                self._send(self_number, begun + self_number / trial.rate, end)
            if number <= trial.warm < due:
                counting = now
            number = max(number, due)
            wait = begun + number / trial.rate - time.monotonic()
            producer.poll(max(_TICK, min(wait, 0.05)) if wait > 0 else 0)
            if now > heard + 0.2:
                heard = now
                if self._line.heard("stop"):
                    break
        used, busy, over = time.thread_time() - thread, machine.share(), time.monotonic()
        self._drain()
        span = max(self._last - counting, 1e-9)
        return Produced(
            sent=number,
            acknowledged=self._acknowledged,
            failed=sorted(self._open),
            errors=dict(self._errors),
            ran=round(over - begun, 3),
            seconds=round(span, 3),
            rate=round(self._counted / span, 1),
            latency=self._latencies.told(),
            gaps=self._gaps.told() if self._trial.spread else [],
            held=round(self._held, 3),
            late=late.p99 if (late := self._lateness.told()) else 0.0,
            thread=round(used / (over - begun), 3),
            machine=busy,
            wire=self._wire,
        )

    def _send(self, number: int, due: float, end: float) -> None:
        """Send one record. Its time is when it was due, if a full buffer held it up, and else when it is sent."""
        now = time.monotonic()
        at = due if due < self._held_until else now
        value = HEAD.pack(self._trial.number, number, int(at * 1e9)) + self._pool[number % len(self._pool)]
        partition = number % self._trial.setting.partitions if self._trial.spread else _ANY
        self._open.add(number)
        while True:
            try:
                self._producer.produce(self._trial.topic, value, partition=partition)
            except BufferError:
                held = time.monotonic()
                self._producer.poll(0.01)
                self._held_until = time.monotonic()
                self._held += self._held_until - held
                if self._held_until > end + self._trial.drain:
                    self._errors["the producer's buffer stayed full"] += 1
                    return
            else:
                return

    def _delivered(self, error: Any, message: Any) -> None:
        if error is not None:
            self._errors[error.name()] += 1
            return
        now = time.monotonic()
        _, number, at = HEAD.unpack_from(message.value())
        self._open.discard(number)
        self._acknowledged += 1
        self._last = now
        self._gaps.add(message.partition(), now)
        if number >= self._trial.warm:
            self._counted += 1
            self._latencies.add(now - at / 1e9)

    def _drain(self) -> None:
        self._producer.flush(self._trial.drain)
        self._producer.purge()
        self._producer.flush(1)
        self._producer.poll(2 * _STATISTICS / 1000)  # one last look at what was sent

    def _count_wire(self, text: str) -> None:
        self._wire = sum(broker.get("txbytes", 0) for broker in json.loads(text)["brokers"].values())


class BusyMachine:
    """The share of all processors that was busy since this was made."""

    def __init__(self) -> None:
        """Begin."""
        self._before = _times()

    def share(self) -> float | None:
        """Between 0 and 1; None where the system does not say (no /proc/stat), or it was too short."""
        before, after = self._before, _times()
        if before is None or after is None or after[1] <= before[1]:
            return None
        return round(1 - (after[0] - before[0]) / (after[1] - before[1]), 3)


def _times() -> tuple[int, int] | None:
    """Idle and all time of the processors, in ticks (proc_stat(5)); waiting for disks counts as idle."""
    try:
        name, *ticks = Path("/proc/stat").read_text("ascii").partition("\n")[0].split()
        counts = [int(tick) for tick in ticks[:8]]
    except (OSError, ValueError):
        return None
    return (counts[3] + counts[4], sum(counts)) if name == "cpu" else None
