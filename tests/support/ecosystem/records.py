"""What applications write and read beside the lab: records with headers and times of their own, groups with members."""

import contextlib
import time
from collections.abc import Iterator, Mapping

from confluent_kafka import Consumer, Producer

from kafka_lab.admin import kafka_python, settings
from kafka_lab.content import records_of
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

_WITHIN = 120.0


def write(
    lab: LabState, topic: str, count: int = 1, *, age: float = 0.0, headers: Mapping[str, bytes] | None = None
) -> None:
    """Write records with a key into partition 0, as old as is said, in seconds."""
    producer = Producer(settings(lab) | {"acks": "all"})
    stamp = int((time.time() - age) * 1000)
    for number in range(count):
        value = f'{{"parcel": {number}}}'
        producer.produce(
            topic, key="key", value=value, partition=0, timestamp=stamp, headers=list((headers or {}).items())
        )
    assert producer.flush(30) == 0


@contextlib.contextmanager
def reading(lab: LabState, topic: str, group: str) -> Iterator[None]:
    """A group with a member that has read a topic to its end, and has committed that."""
    consumer = Consumer(settings(lab) | {"group.id": group, "auto.offset.reset": "earliest"})
    try:
        consumer.subscribe([topic])

        def has_committed() -> bool:
            consumer.poll(0.5)
            places = [place for place in consumer.position(consumer.assignment()) if place.offset > 0]
            if places:
                consumer.commit(offsets=places, asynchronous=False)
            return bool(places)

        wait_until(has_committed, f"{group} to commit", within=_WITHIN)
        yield
    finally:
        consumer.close()


def members(lab: LabState, group: str) -> int:
    """How many members a group has."""
    with kafka_python(lab) as admin:
        return len(admin.describe_groups([group])[group]["members"])


def headers_in(lab: LabState, topic: str) -> list[set[str]]:
    """The names of the headers of each record of a topic."""
    return [{name for name, _ in record.headers() or []} for record in records_of(lab, topic)]


def oldest_in(lab: LabState, topic: str) -> float:
    """How many seconds ago the oldest record of a topic was made, as it says itself; 0 if there is none."""
    now = time.time()
    return max((now - record.timestamp()[1] / 1000 for record in records_of(lab, topic)), default=0.0)
