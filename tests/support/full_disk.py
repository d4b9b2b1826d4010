"""A broker of the lab's hosts with a disk of its own, which records fill: the whole of its data, or a second part."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
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
from kafka_lab.state import LabBroker
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
EXT4: Final = ("mkfs.ext4", "-q", "-m", "5")
"""Makes a file system of which root alone gets the last twentieth."""
XFS: Final = ("mkfs.xfs", "-q")
"""Makes one that keeps nothing for root, and grows while it is mounted."""
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
        makes: the command that puts a file system on it.
    """

    device: str
    image: Path
    makes: Sequence[str]

    def grow(self) -> None:
        """Make it larger, as whoever runs the storage does; the file system on it stays as it is."""
        os.truncate(self.image, 4 * _SIZE)
        subprocess.run(["losetup", "--set-capacity", self.device], check=True)


@contextmanager
def disk_of(folder: Path, makes: Sequence[str] = EXT4) -> Iterator[Disk]:
    """An empty disk; it goes once nothing is mounted from it any more."""
    image = folder / "disk"
    with image.open("wb") as empty:
        empty.truncate(_SIZE)
    made = subprocess.run(["losetup", "--find", "--show", str(image)], check=True, capture_output=True, text=True)
    device = made.stdout.strip()
    try:
        yield Disk(device, image, makes)
    finally:
        subprocess.run(["losetup", "--detach", device], check=True)
        image.unlink()


def moved_to(lab: LabState, operator: Operator, disk: Disk) -> Path:
    """Put the data of the broker on this disk; gives the folder."""
    broker = lab.broker(NUMBER)
    folder = lab.data_of(broker)
    terminate(broker.process, patience=_PATIENCE)
    _moves(lab, operator, folder, disk)
    _starts_again(lab, broker)
    return folder


def has_two(lab: LabState, operator: Operator, disk: Disk) -> Path:
    """Give the broker a second log directory on this disk, where it puts what is new to it; gives the folder."""
    broker = lab.broker(NUMBER)
    first = lab.data_of(broker)
    second = first.with_name(f"{first.name}-second")
    terminate(broker.process, patience=_PATIENCE)
    with properties_file(lab, broker).open("a", encoding="utf-8") as lines:
        lines.write(f"log.dirs={first},{second}\n")
    place = ["--cluster-id", lab.cluster_id, "--config", str(properties_file(lab, broker))]
    only_new = ["--ignore-formatted", "--no-initial-controllers"]
    brokers.run_tool(lab, "kafka.tools.StorageTool", ["format", *place, *only_new])
    subprocess.run(["chown", "-R", f"--reference={first}", str(second)], check=True)
    _moves(lab, operator, second, disk)
    _starts_again(lab, broker)
    return second


def _moves(lab: LabState, operator: Operator, folder: Path, disk: Disk) -> None:
    """Put a folder of the broker on this disk."""
    subprocess.run([*disk.makes, disk.device], check=True)
    on_hosts(lab, operator, [NUMBER])([f"mount {disk.device} {folder}; rm -rf {folder}/lost+found"])
    there = str(file_of(host_of(lab, NUMBER), str(folder)))
    copy = ("cp", "-R", "--preserve=mode,ownership,timestamps", "--sparse=always", f"{folder}/.", there)
    subprocess.run(copy, check=True)


def _starts_again(lab: LabState, broker: LabBroker) -> None:
    """Start the broker; it looks more often for what is over, as a walk waits where retention was forgotten."""
    with properties_file(lab, broker).open("a", encoding="utf-8") as lines:
        lines.write(_SOON)
    brokers.start(lab, broker)
    wait_for_brokers(lab)
    make_whole(lab)


def fill(lab: LabState, is_full: Callable[[], bool]) -> None:
    """Write records of two days ago until the disk is full.

    Raises:
        AssertionError: it is not.
    """
    producer = Producer(settings(lab) | {"acks": "all", "message.timeout.ms": 10_000})
    value, old = os.urandom(100_000), round(time.time() * 1000) - _AGE_MS
    end, number = time.monotonic() + _FULL_WITHIN, 0
    while not is_full():
        assert time.monotonic() < end, "the disk is not full"
        if len(producer) >= _MOST_WAITING:
            producer.poll(0.05)
            continue
        with suppress(KafkaException, BufferError):
            producer.produce(BULK, value, partition=number % _PARTITIONS, timestamp=old)
        producer.poll(0)
        number += 1
    producer.purge()
    producer.flush(5)


def has_died(lab: LabState) -> bool:
    """Whether the broker has ended."""
    return condition(lab.broker(NUMBER).process) != "alive"


def goes_on_without(lab: LabState, folder: Path) -> bool:
    """Whether the broker has said that it does not use the directory any more."""
    return f"Stopping serving logs in dir {folder}" in _log(lab)


def words_of_death(lab: LabState) -> list[str]:
    """What the broker's log says of the disk."""
    return [line for line in _log(lab).splitlines() if "No space left" in line]


def _log(lab: LabState) -> str:
    return lab.log_of(lab.broker(NUMBER)).read_text("utf-8", "replace")


def begins(lab: LabState) -> list[int]:
    """Where the partitions of the topic that fills it begin."""
    with kafka_python(lab) as admin:
        found = offsets(admin, BULK, range(_PARTITIONS), BEGINNING)
    return [found[number].offset for number in sorted(found)]
