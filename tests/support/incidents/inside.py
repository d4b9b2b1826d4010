"""What is wrong inside: brokers that can't fetch from each other, and disks that fail."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from confluent_kafka import Producer

from kafka_lab import LabState, processes, proxies
from kafka_lab.admin import kafka_python, partitions, settings
from kafka_lab.brokers import start
from kafka_lab.configuration import new_id, properties_file, write_configuration
from kafka_lab.content import WRITTEN_PLAINLY, create_topics, delete_topics
from kafka_lab.errors import LabError
from kafka_lab.recovery import make_whole
from kafka_lab.waiting import wait_for_brokers, wait_until
from support.incidents.incident import Asked, Incident

_FETCH: Final = 1  # the number of the request
_STOPS_WITHIN = 10.0
_TOPIC: Final = "incident-spread"
_PARTITIONS: Final = 12
_LAG_MS: Final = 5000
_SMALL: Final = "24m"
_PIECE: Final = 100_000
_PIECES: Final = 40  # of each partition: more than the small directory holds
_WRITES_WITHIN: Final = 15.0
_STORAGE_ERROR: Final = "56"  # KAFKA_STORAGE_ERROR: its broker has given the directory up
_OFFLINE = ("log-directory-is-offline",)


def _restarted(lab: LabState, numbers: tuple[int, ...], more: str) -> None:
    """Restart brokers with these lines at the end of their properties; without any as they are meant to be."""
    for number in numbers:
        broker = lab.broker(number)
        processes.terminate(broker.process, patience=_STOPS_WITHIN)
        write_configuration(lab, broker)
        file = properties_file(lab, broker)
        file.write_text(file.read_text("utf-8") + more, "utf-8")
    for number in numbers:
        start(lab, lab.broker(number))
    wait_for_brokers(lab)


@contextmanager
def _no_fetching(lab: LabState) -> Iterator[Asked]:
    """Brokers reach each other by the proxies, of which one lets no Fetch through; we come in beside them."""
    numbers = tuple(broker.number for broker in lab.brokers)
    more = f"inter.broker.listener.name={proxies.LISTENER}\nreplica.lag.time.max.ms={_LAG_MS}\n"
    try:
        _restarted(lab, numbers, more)
        make_whole(lab)
        proxies.say(lab, {2: {"hang": [_FETCH]}})
        for topic in WRITTEN_PLAINLY:  # who has all of a log that nobody writes to stays in sync
            _write(lab, topic, len(partitions(lab)[topic]), 1)
        wait_until(lambda: _alone(lab, 2), "followers to leave those in sync", within=240)
        yield Asked({"bootstrap.servers": lab.bootstrap})
    finally:
        proxies.mend(lab)
        _restarted(lab, numbers, "")


def _alone(lab: LabState, leader: int) -> bool:
    there = partitions(lab)
    led = [partition for topic in WRITTEN_PLAINLY for partition in there[topic].values() if partition.leader == leader]
    return bool(led) and all(list(partition.isrs) == [leader] for partition in led)


def _write(lab: LabState, topic: str, count: int, pieces: int) -> None:
    """Write so many pieces to each partition, without waiting for copies; what can't be written is let go."""
    producer = Producer(settings(lab) | {"acks": 1})
    for number in range(count):
        for _ in range(pieces):
            producer.produce(topic, value=bytes(_PIECE), partition=number)
    producer.flush(_WRITES_WITHIN)
    producer.purge()


@contextmanager
def _second_directory(lab: LabState, *, full: bool) -> Iterator[Asked]:
    """Broker 3 gets a second log directory, which holds the replicas of a topic, and fails."""
    broker = lab.broker(3)
    first = lab.data_of(broker)
    second = first.with_name(f"{first.name}-b")
    gone = second.with_name(f"{second.name}.gone")
    second.mkdir(exist_ok=True)
    if full:
        _command("mount", "-t", "tmpfs", "-o", f"size={_SMALL}", "tmpfs", str(second))
    try:
        second.joinpath("meta.properties").write_text(
            f"version=1\nnode.id=3\ncluster.id={lab.cluster_id}\ndirectory.id={new_id()}\n", "utf-8"
        )
        _restarted(lab, (3,), f"log.dirs={first},{second}\n")
        create_topics(lab, {_TOPIC: (_PARTITIONS, 3, {"min.insync.replicas": "2"})})
        make_whole(lab)
        if full:
            _write(lab, _TOPIC, _PARTITIONS, _PIECES)
        else:
            second.rename(gone)
        wait_until(lambda: bool(_failed(lab, 3)), "the directory to fail", within=240)
        yield Asked()
    finally:
        delete_topics(lab, [_TOPIC])
        _restarted(lab, (3,), "")
        if full:
            _command("umount", str(second))
        for folder in (second, gone):
            shutil.rmtree(folder, ignore_errors=True)


def _failed(lab: LabState, number: int) -> list[str]:
    with kafka_python(lab) as admin:
        described = admin.describe_log_dirs(brokers=[number])
    return [part for part in str(described).split("'error_code': ")[1:] if part.startswith(_STORAGE_ERROR)]


def _command(*words: str) -> None:
    done = subprocess.run(words, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise LabError(f"{words[0]} failed: {done.stderr.strip()}")


@contextmanager
def _directory_lost(lab: LabState) -> Iterator[Asked]:
    with _second_directory(lab, full=False) as asked:
        yield asked


@contextmanager
def _disk_full(lab: LabState) -> Iterator[Asked]:
    with _second_directory(lab, full=True) as asked:
        yield asked


@contextmanager
def _lost_and_half_open(lab: LabState) -> Iterator[Asked]:
    with _second_directory(lab, full=False) as asked:
        proxies.say(lab, {3: {"open": False}})
        try:
            yield asked
        finally:
            proxies.mend(lab)


INCIDENTS = [
    Incident(
        "followers-cant-fetch",
        "wrong",
        _no_fetching,
        r"can't fetch from leader 2",
        ("followers-cannot-fetch-from-a-leader",),
        ("every-replica-is-in-sync",),
    ),
    Incident(
        "directory-lost",
        "named",
        _directory_lost,
        r"directory.*broker 3 is offline",
        _OFFLINE,
        ("log-directories-work",),
    ),
    Incident("disk-full", "wrong", _disk_full, r"directory.*broker 3 is offline", _OFFLINE, ("log-directories-work",)),
    Incident(
        "directory-lost-and-half-open",
        "unknown",
        _lost_and_half_open,
        r"broker 3\b.*can't be reached",
        ("broker-is-out-of-our-reach", *_OFFLINE),
        ("log-directories-work",),
        why="the disk is not seen while its broker can't be reached",
    ),
]
