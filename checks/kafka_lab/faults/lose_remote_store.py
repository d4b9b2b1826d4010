"""Takes the remote store of tiered storage away while a topic is written to and read. Needs tiered."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from kafka_lab import admin
from kafka_lab.content import write_ballast
from kafka_lab.parts import tiered
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "capacity"

_READING: Final = 15.0  # seconds; brokers count failed reads every five
_WITHIN: Final = 120.0


def inject(lab: LabState) -> None:
    """Put a file where the folder was, write more than a segment to each partition, and read from the beginning."""
    store, away = _places(lab)
    if store.is_dir():
        store.rename(away)
        store.touch()
    write_ballast(lab, tiered.TOPIC, [*range(tiered.PARTITIONS)], 2 * tiered.SEGMENT)
    _read_from_the_beginning(lab)


def heal(lab: LabState) -> None:
    """Bring the folder back; return when all is uploaded."""
    if tiered.PART not in lab.parts:
        return
    store, away = _places(lab)
    if away.is_dir():
        store.unlink(missing_ok=True)
        away.rename(store)
    wait_until(lambda: tiered.uploaded(lab), "the upload of what waited", within=_WITHIN)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether there is no folder, and closed segments wait."""
    tiered.required(lab)
    store, _ = _places(lab)
    return {
        "the remote store is gone": not store.is_dir(),
        "closed segments are not uploaded": not tiered.uploaded(lab),
    }


def _places(lab: LabState) -> tuple[Path, Path]:
    tiered.required(lab)
    store = Path(lab.parts[tiered.PART]["store"])
    return store, store.with_name(f"{store.name}.away")


def _read_from_the_beginning(lab: LabState) -> None:
    """Ask for the oldest records, as a consumer does that begins."""
    from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition

    consumer = Consumer(admin.settings(lab) | {"group.id": "archaeology", "enable.auto.commit": False})
    try:
        beginning = [TopicPartition(tiered.TOPIC, number, OFFSET_BEGINNING) for number in range(tiered.PARTITIONS)]
        consumer.assign(beginning)
        consumer.consume(num_messages=1_000_000, timeout=_READING)
    finally:
        consumer.close()
