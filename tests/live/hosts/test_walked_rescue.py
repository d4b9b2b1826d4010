"""The only copy of a partition is on a disk that can't be read in places: ha.md walked until its records are there."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from kafka_lab import LabState
from kafka_lab.admin import metadata, settings
from kafka_lab.content import create_topics, values_of
from kafka_lab.parts.hosts import host_of
from kafka_lab.recovery import revive, wait_for_loss
from support.careful_walker import FINDS, RUNBOOK, Careful, Hand, Walked, does_nothing, edited
from support.failing_disk import NEEDED, SIZE, FailingDisk, failing_disk, lacking, loop_device, ranges_of
from support.forgetful import Notes
from support.full_disk import EXT4, NUMBER, Disk, has_died, moved_to
from support.hosts_to_change import file_of, on_hosts
from support.kept_walks import Keep
from support.lab_hosts import LACKING
from support.numbered_records import GROUP, TOPIC
from support.operators import Operator, completed, under_load
from support.two_sites_move import place
from support.until import until

_LACKING: Final = (
    LACKING or lacking() or next((f"{tool} is not installed" for tool in NEEDED if not shutil.which(tool)), "")
)
pytestmark = [
    *(pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1200)),
    pytest.mark.skipif(bool(_LACKING), reason=_LACKING),
]
PROCEDURE: Final = "ha#rescue-the-only-copy"
DAMAGED: Final = "catalogue"
"""The topic of one copy of which a segment can't be read whole."""
_PARTITIONS: Final = 3
_SEGMENT: Final = 1 << 20
_VALUE: Final = 100_000  # bytes; ten records are a segment
_RECORDS: Final = 60
_SOME: Final = 1000  # numbered records that are acknowledged before anything fails
_PATIENCE: Final = 15.0  # seconds in which a consumer reads all that it can
WITHIN: Final = 120.0  # seconds; a busy machine takes its time


@pytest.fixture
def disks(tmp_path: Path) -> Iterator[tuple[FailingDisk, str]]:
    """A disk that will fail, and a sound one of the same size; they are there before the lab, and go after it."""
    image = tmp_path / "sound"
    with image.open("wb") as empty:
        empty.truncate(SIZE)
    with failing_disk(tmp_path) as failing, loop_device(image) as sound:
        yield failing, sound


@pytest.fixture
def operator(disks: tuple[FailingDisk, str], lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at a broker whose only log directory is on the disk that will fail, with topics of one copy."""
    create_topics(lab, {TOPIC: (_PARTITIONS, 1, {}), DAMAGED: (_PARTITIONS, 1, {"segment.bytes": str(_SEGMENT)})})
    place(lab, GROUP, TOPIC, [0] * _PARTITIONS)
    person = Operator(lab, tmp_path)
    moved_to(lab, person, Disk(disks[0].device, tmp_path, EXT4))
    producer = Producer(settings(lab) | {"acks": "all"})
    for _ in range(_RECORDS):
        producer.produce(DAMAGED, os.urandom(_VALUE), partition=of_broker(lab, DAMAGED))
    assert producer.flush(WITHIN) == 0
    with under_load(person, lab, WITHIN):
        assert until(lambda: len(person.ledger.acknowledged) > _SOME)
        yield person


def of_broker(lab: LabState, topic: str) -> int:
    """The partition of a topic that the broker leads."""
    [number] = [
        number
        for number, partition in metadata(lab, lab.bootstrap).topics[topic].partitions.items()
        if partition.leader == NUMBER
    ]
    return int(number)


def read_from_start(lab: LabState, number: int) -> int:
    """How many records of the partition a consumer gets."""
    consumer = Consumer(settings(lab) | {"group.id": "reads-catalogue", "enable.auto.commit": False})
    consumer.assign([TopicPartition(DAMAGED, number, 0)])
    found: set[int] = set()

    def all_read() -> bool:
        record = consumer.poll(0.5)
        if record is not None and not record.error():
            found.add(record.offset() or 0)
        return len(found) == _RECORDS

    until(all_read, within=_PATIENCE)
    consumer.close()
    return len(found)


def leaders_pass(lab: LabState, operator: Operator) -> bool:
    """Whether the check of the first step passes."""
    line = [RUNBOOK, "check", "ha#every-partition-has-a-leader", "--env", lab.name]
    return subprocess.run(line, cwd=operator.folder, capture_output=True, check=False).returncode == 0


def typed_whole(hand: Hand) -> Hand:
    """A hand that types the lines of a step as one script, in which a command goes on over lines."""

    def acts(commands: Sequence[str]) -> None:
        hand(["\n".join(commands)])

    return acts


def test_the_records_of_the_only_copy_are_read_again(
    operator: Operator, lab: LabState, disks: tuple[FailingDisk, str], notes: Notes, keeps: Keep
) -> None:
    failing, sound = disks
    numbered, damaged = of_broker(lab, TOPIC), of_broker(lab, DAMAGED)
    folder = lab.data_of(lab.broker(NUMBER))
    seen = file_of(host_of(lab, NUMBER), str(folder))
    there = on_hosts(lab, operator, [NUMBER])
    unreadable = ranges_of(sorted((seen / f"{DAMAGED}-{damaged}").glob("*.log"))[2])[10:12]

    failing.fails(unreadable)
    assert 0 < read_from_start(lab, damaged) < _RECORDS
    assert leaders_pass(lab, operator)  # which shows nothing, as the broker goes on leading from that disk
    failing.fails(unreadable, writes=True)
    assert until(lambda: has_died(lab))
    wait_for_loss(lab, {NUMBER})
    assert not leaders_pass(lab, operator)

    def puts_back(commands: Sequence[str]) -> None:
        saved, looks = commands
        there([saved])
        local = looks.replace(str(folder), str(seen))
        operator.types()([local])
        assert "isvalid: false" not in operator.output
        operator.types()([local.replace(f"{TOPIC}-{numbered}", f"{DAMAGED}-{damaged}")])
        assert operator.output.count("isvalid: false") == 1

    def starts(_: Sequence[str]) -> None:
        revive(lab, {NUMBER})

    words = {"DISK": failing.device, "NEW_DISK": sound, "LOG_DIR": str(folder)}
    looks_first = edited(operator.types(), FINDS, ("^grep .*", r"\g<0> || true"))
    record = Careful().walks(
        Walked(operator.folder, PROCEDURE, lab.name, words=words | {"TOPIC": TOPIC, "PARTITION": str(numbered)}),
        [
            *(looks_first, does_nothing, typed_whole(there), does_nothing, there),
            edited(there, (r"rescue\.map", "/tmp/rescue.map")),
            edited(there, (r"grep -n .*", r"\g<0> || true")),
            typed_whole(edited(there, (r"e2fsck -f -p \S+", r"\g<0> || test $? -eq 1"))),
            *(there, puts_back, starts, does_nothing, does_nothing),
        ],
    )
    assert completed(record), record.entries[-3:]
    operator.counts()
    assert operator.ledger.acknowledged.keys() <= {int(value) for value in values_of(lab, TOPIC)}
    notes([f"{PROCEDURE}: walked right"])
    keeps(record, "hosts, a disk with read errors", ledger=operator.ledger)
