"""What can be told of acknowledged records that nobody worked on: whether they are in the log, and where."""

from collections.abc import Iterator

from confluent_kafka import Consumer, KafkaException, Message, TopicPartition

from kafka_lab.admin import settings
from support.numbered_records import GROUP, Ledger, Place

_FEW = 9
_WITHIN = 20.0


def told_of_lost(ledger: Ledger) -> str:
    """Of each lost record: what was said of it when it was acknowledged, and what its cluster's log holds now."""
    lost = sorted(ledger.lost)
    told = [_of(number, ledger.places.get(number)) for number in lost[:_FEW]]
    left = "; ".join(ledger.resets) or "none"
    return f"{len(lost)} lost of {len(ledger.acknowledged)}: {'; '.join(told)}; positions that readers left: {left}"


def _of(number: int, place: Place | None) -> str:
    if place is None:
        return f"{number}, acknowledged nobody knows where"
    said = f"{number}, acknowledged at {place.lab.name} in {place.topic}-{place.partition} as offset {place.offset}"
    try:
        return f"{said}, {_in_the_log(number, place)}"
    except KafkaException as error:
        return f"{said}, whose log could not be read: {error}"


def _in_the_log(number: int, place: Place) -> str:
    """Where the partition has the record, what lies at its offset, and where the group's position is."""
    consumer = Consumer(settings(place.lab) | {"group.id": f"{GROUP}-looks", "enable.auto.commit": False})
    group = Consumer(settings(place.lab) | {"group.id": GROUP, "enable.auto.commit": False})
    try:
        partition = TopicPartition(place.topic, place.partition)
        first, end = consumer.get_watermark_offsets(partition, timeout=_WITHIN)
        [position] = group.committed([partition], timeout=_WITHIN)
        held = {record.offset(): record.value() for record in _records(consumer, place, first, end)}
    finally:
        consumer.close()
        group.close()
    found = [offset for offset, value in held.items() if value == str(number).encode()]
    where = f"in the log at {found}" if found else "not in the log"
    at = f"{held.get(place.offset)!r} is at its offset"
    return f"{where}; {at}; log {first} to {end}, {len(held)} records, the group at {position.offset}"


def _records(consumer: Consumer, place: Place, first: int, end: int) -> Iterator[Message]:
    consumer.assign([TopicPartition(place.topic, place.partition, first)])
    while (record := consumer.poll(_WITHIN)) is not None:
        if record.error() is not None:
            raise KafkaException(record.error())
        yield record
        if (record.offset() or 0) >= end - 1:
            break
