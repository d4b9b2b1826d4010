"""What a loss really does to partitions: to writes, to reads and to acknowledged records, tried by plain clients."""

import time
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

from confluent_kafka import Consumer, KafkaError, Producer, TopicPartition

from runbook.lab import LabState
from runbook.lab.admin import settings
from runbook.lab.errors import LabError
from runbook.lab.processes import terminate
from runbook.lab.recovery import wait_for_loss

Place = tuple[str, int]
Records = dict[Place, set[str]]
"""The records of each partition."""

TRIED_MS: Final = 8000  # that a write may take: it is refused, or has nobody to go to, for all of it
_SHARES = 6  # producers: a broker answers what comes over one connection in turn, and writes wait for followers
_SMALL = 100  # bytes: larger records are ballast
_READ_WITHIN = 60.0


def kill(lab: LabState, numbers: AbstractSet[int]) -> None:
    """Kill these brokers and wait until the cluster goes on without them."""
    for number in numbers:
        terminate(lab.broker(number).process, patience=0)
    wait_for_loss(lab, numbers)


def tried(lab: LabState, places: Sequence[Place], acknowledged: Records) -> dict[str, dict[str, bool]]:
    """Read from each partition, and write to it in both ways; gives what came of it, by TOPIC/PARTITION.

    Args:
        lab: the lab.
        places: the partitions.
        acknowledged: the records that acks=all writers were told are safe; those written now are added.
    """
    told = read(lab, places)
    lost = missing(told, acknowledged)
    took = write(lab, places, acknowledged)
    again = read(lab, places)
    return {
        f"{one[0]}/{one[1]}": {
            "refuses acks=all": one not in took["all"],
            "refuses acks=1": one not in took["1"],
            "can't be read": told[one] is None,
            "lacks acknowledged records": one in lost,
            "shows new records": took["1"].get(one) in (again[one] or ()),
        }
        for one in places
    }


def write(lab: LabState, places: Sequence[Place], acknowledged: Records) -> dict[str, dict[Place, str]]:
    """Write two records to each partition, with acks=all and acks=1; of either, which partitions took which.

    Raises:
        LabError: a producer never learned what became of its records.
    """
    took: dict[str, dict[Place, str]] = {"all": {}, "1": {}}

    def delivered(error: KafkaError | None, message: Any) -> None:
        if error is None:
            place, value = (message.topic(), message.partition()), message.value().decode()
            acks = value.partition(" ")[0]
            took[acks][place] = value
            if acks == "all":
                acknowledged.setdefault(place, set()).add(value)

    own = {"message.timeout.ms": TRIED_MS, "linger.ms": 0}
    producers = {acks: [Producer(settings(lab) | own | {"acks": acks}) for _ in range(_SHARES)] for acks in took}
    for place, (topic, number) in enumerate(places):
        for acks, shares in producers.items():
            value = f"{acks} {time.monotonic_ns()}".encode()
            shares[place % _SHARES].produce(topic, value, partition=number, on_delivery=delivered)
    if {one.flush(60) for shares in producers.values() for one in shares} != {0}:
        raise LabError(f"What became of records written to lab {lab.name} is not known")
    return took


def read(lab: LabState, places: Sequence[Place]) -> Mapping[Place, set[str] | None]:
    """All records of each partition that consumers may see; None where it has no leader.

    That ends at the high watermark, which is not asked for: a leader that has records above it, from writes with
    acks=1 while too few copies were in sync, does not tell it until there are enough (OFFSET_NOT_AVAILABLE).

    Raises:
        LabError: a partition has a leader, and could not be read to its end.
    """
    own = {"group.id": "nobody", "enable.auto.commit": False, "enable.partition.eof": True}
    consumer = Consumer(settings(lab) | own)
    try:
        seen = consumer.list_topics(timeout=20).topics
        led = {place for place in places if seen[place[0]].partitions[place[1]].leader >= 0}
        told: dict[Place, set[str] | None] = {place: set() if place in led else None for place in places}
        consumer.assign([TopicPartition(*place, 0) for place in led])
        deadline = time.monotonic() + _READ_WITHIN
        while led:
            if time.monotonic() > deadline:
                raise LabError(f"{led} have a leader, and can't be read to the end")
            record = consumer.poll(1)
            if record is None:
                continue
            place = (record.topic(), record.partition())
            if (error := record.error()) is not None:
                if error.code() == KafkaError._PARTITION_EOF:  # that is its public name
                    led.discard(place)
            elif len(record.value()) < _SMALL and (values := told[place]) is not None:
                values.add(record.value().decode())
    finally:
        consumer.close()
    return told


def missing(told: Mapping[Place, set[str] | None], acknowledged: Records) -> set[Place]:
    """The partitions that lack an acknowledged record."""
    return {place for place, values in acknowledged.items() if values - (told[place] or set())}
