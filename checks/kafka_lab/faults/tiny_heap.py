"""Restarts broker 3 with a heap that hardly holds it, and writes large records: its JVM stops for full collections."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from kafka_lab import brokers
from kafka_lab.admin import settings
from kafka_lab.processes import terminate
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "gc"

_NUMBER = 3
_HEAP = "24m"  # tried: with 20m it ends with OutOfMemoryError within a minute, with 56m full collections are rare
_CAPACITY = "Heap Max Capacity: 24M"  # as the JVM says it
_VARIABLE = "RUNBOOK_LAB_HEAP"
_FORCED = "Pause Full (Allocation Failure)"
_TOPIC = "clicks"  # broker 3 holds a replica of each of its partitions
_RECORD = bytes(300_000)
_AT_ONCE = 20
_WITHIN = 180.0


def inject(lab: LabState) -> None:
    """Restart the broker, and write until its log tells of a full collection that the heap forced."""
    broker = lab.broker(_NUMBER)
    terminate(broker.process, patience=8)
    with _heap(_HEAP):
        brokers.start(lab, broker)
    wait_until(lambda: _stopped_for_heap(lab) or _write(lab), "a full collection of broker 3", within=_WITHIN)


def heal(lab: LabState) -> None:
    """Restart it with the heap of the others."""
    broker = lab.broker(_NUMBER)
    terminate(broker.process, patience=2)
    brokers.start(lab, broker)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether its JVM's log tells of that heap, and of a full collection for want of it."""
    log = lab.gc_log_of(lab.broker(_NUMBER)).read_text("latin-1")
    return {
        f"the JVM of broker {_NUMBER} was started with a heap of {_HEAP}": _CAPACITY in log,
        f"the GC log of broker {_NUMBER} tells of {_FORCED}": _stopped_for_heap(lab),
    }


@contextmanager
def _heap(size: str) -> Iterator[None]:
    """Let brokers start with another heap, as a user may ask for by the same variable."""
    before = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = size
    try:
        yield
    finally:
        if before is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = before


def _stopped_for_heap(lab: LabState) -> bool:
    log = lab.gc_log_of(lab.broker(_NUMBER))
    if not log.exists():
        return False
    return any(_FORCED in line and line.endswith("ms") for line in log.read_text("latin-1").splitlines())


def _write(lab: LabState) -> bool:
    """Write some large records to whoever takes them; says that this alone is not the sign that is waited for."""
    from confluent_kafka import Producer

    producer = Producer(settings(lab) | {"acks": 1})
    for _ in range(_AT_ONCE):
        producer.produce(_TOPIC, _RECORD)
    producer.flush(2)
    producer.purge()
    return False
