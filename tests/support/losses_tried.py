"""What a loss really does to partitions: to writes, to reads and to acknowledged records, tried by plain clients."""

import time
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

from confluent_kafka import Consumer, KafkaError, Producer, TopicPartition

from kafka_lab import LabState
from kafka_lab.admin import metadata, settings
from kafka_lab.errors import LabError
from kafka_lab.processes import freeze, terminate, thaw
from kafka_lab.recovery import wait_for_loss
from kafka_lab.waiting import wait_until_all_see

Place = tuple[str, int]
Records = dict[Place, set[str]]
"""The records of each partition."""

TRIED_MS: Final = 8000  # that a write may take: it is refused, or has nobody to go to, for all of it
_SMALL = 100  # bytes: larger records are ballast
_READ_WITHIN = 240.0


def take_away(lab: LabState, numbers: AbstractSet[int], *, frozen: bool) -> None:
    """Kill these brokers, or freeze them, and wait until the cluster goes on without them."""
    for number in numbers:
        process = lab.broker(number).process
        if frozen:
            freeze(process)
        else:
            terminate(process, patience=0)
    wait_for_loss(lab, numbers)


def lose(lab: LabState, numbers: AbstractSet[int], places: Sequence[Place], *, elects: bool) -> Records:
    """Kill these brokers just after they took records with acks=1 that nobody else has: all others are frozen then.

    Args:
        lab: the lab.
        numbers: the brokers.
        places: the partitions.
        elects: whether a controller is left, so that the cluster goes on without them.

    Returns:
        The records that only they had.

    Raises:
        LabError: such a record was not taken.
    """
    seen = metadata(lab, lab.bootstrap).topics
    led = [place for place in places if seen[place[0]].partitions[place[1]].leader in numbers]
    others = [broker.process for broker in lab.brokers if broker.number not in numbers and broker.condition == "alive"]
    producer = Producer(settings(lab) | {"message.timeout.ms": TRIED_MS, "linger.ms": 0, "acks": "1"})
    _with_one_acknowledgement(producer, led)  # it learns who leads, and connects
    try:
        for process in others:
            freeze(process)
        # A fetch that waits at a leader takes what comes first, and lies ready for the follower when that is thawed.
        _with_one_acknowledgement(producer, led)
        theirs = _with_one_acknowledgement(producer, led)
        for number in numbers:
            terminate(lab.broker(number).process, patience=0)
    finally:
        for process in others:
            thaw(process)
    if elects:
        wait_for_loss(lab, numbers)
        wait_until_all_see(lab, lambda seen: not _leaders(seen) & numbers, "others to be elected", within=240)
    return theirs


def _leaders(seen: Any) -> set[int]:
    return {partition.leader for topic in seen.topics.values() for partition in topic.partitions.values()}


def _with_one_acknowledgement(producer: Producer, places: Sequence[Place]) -> Records:
    taken: Records = {}

    def delivered(error: KafkaError | None, message: Any) -> None:
        if error is None:
            taken[message.topic(), message.partition()] = {message.value().decode()}

    for topic, number in places:
        value = f"1 {time.monotonic_ns()}".encode()
        producer.produce(topic, value, partition=number, on_delivery=delivered)
    producer.flush(60)
    if taken.keys() != {*places}:
        raise LabError(f"{ {*places} - taken.keys() } took no record with acks=1")
    return taken


def tried(
    lab: LabState, places: Sequence[Place], acknowledged: Records, acknowledged_by_one: Records
) -> dict[str, dict[str, bool]]:
    """Read from each partition, and write to it in both ways; gives what came of it, by TOPIC/PARTITION.

    Args:
        lab: the lab.
        places: the partitions.
        acknowledged: the records that acks=all writers were told are safe; those written now are added.
        acknowledged_by_one: those that acks=1 writers were told are taken.
    """
    read_back = read(lab, places)
    lost, lost_by_one = missing(read_back, acknowledged), missing(read_back, acknowledged_by_one)
    took = write(lab, places, acknowledged)
    again = read(lab, places)
    return {
        f"{place[0]}/{place[1]}": {
            "refuses acks=all": place not in took["all"],
            "refuses acks=1": place not in took["1"],
            "can't be read": read_back[place] is None,
            "lacks acknowledged records": place in lost,
            "lacks what one acknowledged": place in lost_by_one,
            "shows new records": took["1"].get(place) in (again[place] or ()),
        }
        for place in places
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
    # A broker answers what comes over one connection in turn, and acks=all waits for followers: each has its own.
    quick = Producer(settings(lab) | own | {"acks": "1"})
    producers = [quick]
    for topic, number in places:
        producers.append(Producer(settings(lab) | own | {"acks": "all"}))
        for acks, producer in (("1", quick), ("all", producers[-1])):
            value = f"{acks} {time.monotonic_ns()}".encode()
            producer.produce(topic, value, partition=number, on_delivery=delivered)
    if {producer.flush(60) for producer in producers} != {0}:
        raise LabError(f"What became of records written to lab {lab.name} is not known")
    return took


def read(lab: LabState, places: Sequence[Place]) -> Mapping[Place, set[str] | None]:
    """All records of each partition that consumers may see; None where it has no leader, or one that is dead.

    That ends at the high watermark, which is not asked for: a leader that has records above it, from writes with
    acks=1 while too few copies were in sync, does not tell it until there are enough (OFFSET_NOT_AVAILABLE).

    Raises:
        LabError: a partition has a living leader, and could not be read to its end; or a dead one, and could.
    """
    own = {"group.id": "nobody", "enable.auto.commit": False, "enable.partition.eof": True}
    alive = {broker.number for broker in lab.brokers if broker.condition == "alive"}
    consumer = Consumer(settings(lab) | own)
    try:
        seen = consumer.list_topics(timeout=20).topics
        leaders = {place: seen[place[0]].partitions[place[1]].leader for place in places}
        led = {place for place, leader in leaders.items() if leader >= 0}
        led_by_dead = {place for place in led if leaders[place] not in alive}
        found: dict[Place, set[str] | None] = {place: set() if place in led else None for place in places}
        consumer.assign([TopicPartition(*place, 0) for place in led])
        began = time.monotonic()
        while led - led_by_dead or (led and time.monotonic() < began + TRIED_MS / 1000):
            if time.monotonic() > began + _READ_WITHIN:
                raise LabError(f"{led} have a leader, and can't be read to the end")
            record = consumer.poll(1)
            if record is None:
                continue
            place = (record.topic(), record.partition())
            if (error := record.error()) is not None:
                if error.code() == KafkaError._PARTITION_EOF:  # that is its public name
                    led.discard(place)
            elif len(record.value()) < _SMALL and (values := found[place]) is not None:  # type: ignore[arg-type,index]  # it has both
                values.add(record.value().decode())  # type: ignore[union-attr]
    finally:
        consumer.close()
    if led != led_by_dead:
        raise LabError(f"{led_by_dead - led} were read to the end though their leader is dead")
    return found | dict.fromkeys(led)


def missing(found: Mapping[Place, set[str] | None], acknowledged: Records) -> set[Place]:
    """The partitions that lack an acknowledged record."""
    return {place for place, values in acknowledged.items() if values - (found[place] or set())}
