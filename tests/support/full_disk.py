"""A broker of the lab's hosts on a disk of its own, which records fill until the broker has died of it."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from confluent_kafka import KafkaException, Producer
from msgspec import Struct

from kafka_lab import LabState, brokers
from kafka_lab.admin import BEGINNING, kafka_python, offsets, settings
from kafka_lab.configuration import properties_file
from kafka_lab.parts.hosts import host_of
from kafka_lab.processes import condition, terminate
from kafka_lab.recovery import make_whole
from kafka_lab.waiting import wait_for_brokers
from support.hosts_to_change import file_of, on_hosts
from support.operators import Operator

NUMBER: Final = 3
"""The broker whose disk it is."""
BULK: Final = "bulk"
"""The topic that fills it, of three partitions."""
SEGMENT: Final = 8 << 20
"""Bytes of its segments."""
NEEDED: Final = ("losetup", "mkfs.ext4", "tune2fs", "resize2fs")
"""Tools of which such a disk is made."""
_SIZE: Final = 320 << 20
_PARTITIONS: Final = 3
_AGE_MS: Final = 2 * 86_400_000  # of the records that fill it: older than a day, younger than a week
_SOON: Final = "log.retention.check.interval.ms=30000\n"  # five minutes unless set, in which a walk would give up
_PATIENCE: Final = 30.0  # seconds for a broker to end in order
_FULL_WITHIN: Final = 180.0  # seconds
_MOST_WAITING: Final = 24  # records of a hundred kilobytes that are on their way: what the broker will have missed


class Disk(Struct, frozen=True):
    """A disk.

    Attributes:
        device: where it is found.
        image: the file behind it.
    """

    device: str
    image: Path

    def grow(self) -> None:
        """Make it larger, as whoever runs the storage does; the file system on it stays as it is."""
        os.truncate(self.image, 4 * _SIZE)
        subprocess.run(["losetup", "--set-capacity", self.device], check=True)


@contextmanager
def disk_of(folder: Path) -> Iterator[Disk]:
    """An empty disk; it goes once nothing is mounted from it any more."""
    image = folder / "disk"
    with image.open("wb") as empty:
        empty.truncate(_SIZE)
    made = subprocess.run(["losetup", "--find", "--show", str(image)], check=True, capture_output=True, text=True)
    device = made.stdout.strip()
    try:
        yield Disk(device, image)
    finally:
        subprocess.run(["losetup", "--detach", device], check=True)
        image.unlink()


def moved_to(lab: LabState, operator: Operator, disk: Disk) -> None:
    """Put the data of the broker on this disk: ext4, of which root alone gets the last twentieth.

    From its next start it looks more often for what is over, as a walk waits for that where retention was forgotten.
    """
    broker = lab.broker(NUMBER)
    folder = lab.data_of(broker)
    terminate(broker.process, patience=_PATIENCE)
    subprocess.run(["mkfs.ext4", "-q", "-m", "5", disk.device], check=True)
    on_hosts(lab, operator, [NUMBER])([f"mount {disk.device} {folder}; rmdir {folder}/lost+found"])
    there = str(file_of(host_of(lab, NUMBER), str(folder)))
    copy = ("cp", "-R", "--preserve=mode,ownership,timestamps", "--sparse=always", f"{folder}/.", there)
    subprocess.run(copy, check=True)
    with properties_file(lab, broker).open("a", encoding="utf-8") as lines:
        lines.write(_SOON)
    brokers.start(lab, broker)
    wait_for_brokers(lab)
    make_whole(lab)


def fill(lab: LabState) -> None:
    """Write records of two days ago until the broker has died of it.

    Raises:
        AssertionError: it lives on.
    """
    producer = Producer(settings(lab) | {"acks": "all", "message.timeout.ms": 10_000})
    value, old = os.urandom(100_000), round(time.time() * 1000) - _AGE_MS
    broker, end, number = lab.broker(NUMBER), time.monotonic() + _FULL_WITHIN, 0
    while condition(broker.process) == "alive":
        assert time.monotonic() < end, f"broker {NUMBER} lives on"
        if len(producer) >= _MOST_WAITING:
            producer.poll(0.05)
            continue
        with suppress(KafkaException, BufferError):
            producer.produce(BULK, value, partition=number % _PARTITIONS, timestamp=old)
        producer.poll(0)
        number += 1
    producer.purge()
    producer.flush(5)


def words_of_death(lab: LabState) -> list[str]:
    """What the broker's log says of the disk."""
    log = lab.log_of(lab.broker(NUMBER)).read_text("utf-8", "replace")
    return [line for line in log.splitlines() if "No space left" in line]


def begins(lab: LabState) -> list[int]:
    """Where the partitions of the topic that fills it begin."""
    with kafka_python(lab) as admin:
        found = offsets(admin, BULK, range(_PARTITIONS), BEGINNING)
    return [found[number].offset for number in sorted(found)]
