"""A broker died of a full disk: ha.md walked by its own text until it is back, with every record counted.

Its disk is a loop device with ext4, and is filled by records under load until the broker ends by itself. Where root of
this machine may not resize a file system in use, as in containers, it grows while nothing is mounted from it.
"""

import json
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from kafka_lab import LabState
from kafka_lab.admin import topic_setting
from kafka_lab.content import create_topics
from kafka_lab.processes import condition
from kafka_lab.recovery import revive, wait_for_loss
from support.careful_walker import Careful, Hand, Walked, does_nothing
from support.forgetful import Notes, Walker, walkers
from support.full_disk import BULK, NEEDED, NUMBER, SEGMENT, Disk, begins, disk_of, fill, moved_to, words_of_death
from support.hosts_to_change import on_hosts
from support.kept_walks import Keep
from support.lab_hosts import LACKING
from support.operators import Operator, completed, under_load, with_numbered_topic

_LACKING: Final = LACKING or next((f"{tool} is not installed" for tool in NEEDED if not shutil.which(tool)), "")
pytestmark = [
    *(pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1200)),
    pytest.mark.skipif(bool(_LACKING), reason=_LACKING),
]
PROCEDURE: Final = "ha#recover-from-a-full-disk"
KEPT: Final = "604800000"  # retention.ms of the topic that fills the disk
ROOM: Final = 12  # percent; brokers whose data is on this machine's own disk need it too
WITHIN: Final = 120.0  # seconds; a busy machine takes its time


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """An empty disk; it is there before the lab, and goes after it."""
    with disk_of(tmp_path) as empty:
        yield empty


@pytest.fixture
def operator(disk: Disk, lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at hosts of which one has a full disk: its broker has just died of it, and the others go on."""
    bulk = {"min.insync.replicas": "2", "segment.bytes": str(SEGMENT), "retention.ms": KEPT}
    create_topics(with_numbered_topic(lab), {BULK: (3, 3, bulk)})
    person = Operator(lab, tmp_path)
    wants_room(tmp_path)
    moved_to(lab, person, disk)
    with under_load(person, lab, WITHIN):
        fill(lab)
        wait_for_loss(lab, {NUMBER})
        yield person


def walked(lab: LabState, operator: Operator, disk: Disk) -> Walked:
    """The walk, which is told what it is about, and what the topic is to keep in the end."""
    folder = lab.data_of(lab.broker(NUMBER))
    words = {"TOPIC": BULK, "DISK": disk.device, "LOG_DIR": str(folder), "DECIDED": f"{BULK} retention.ms={KEPT}"}
    return Walked(operator.folder, PROCEDURE, lab.name, words=words)


def reads_the_log(lab: LabState, operator: Operator) -> Hand:
    """The hand of the first step: what it finds in the log are errors, as it should."""

    def acts(commands: Sequence[str]) -> None:
        there = [
            command.replace("/var/log/kafka/server.log", str(lab.log_of(lab.broker(NUMBER)))) for command in commands
        ]
        on_hosts(lab, operator, [NUMBER])([f"{command} | sed s/ERROR/error/g" for command in there])

    return acts


def starts(lab: LabState) -> Hand:
    """No systemd runs in a host."""

    def acts(_: Sequence[str]) -> None:
        revive(lab, {NUMBER})

    return acts


def without_resizing(there: Hand) -> Hand:
    """The hand of the step that makes room for good, where there is enough of it; the rest is typed as it is shown."""

    def acts(commands: Sequence[str]) -> None:
        shown = [re.sub(r"^resize2fs [^;]*; ", "", command) for command in commands]
        assert shown != [*commands]
        there(shown)

    return acts


def wants_room(folder: Path) -> None:
    """Let the inventory ask for as much room as clusters in production do: the lab is content with less."""
    file = folder / "environments.yaml"
    said = json.loads(file.read_text("utf-8"))
    [environment] = said["environments"].values()
    environment["params"]["ha/log-directories-have-room"] = {"free": ROOM}
    file.write_text(json.dumps(said), "utf-8")


def all_is_well(lab: LabState, operator: Operator) -> None:
    """The broker lives, the topic keeps what it kept, and no record is lost."""
    assert any("No space left on device" in line for line in words_of_death(lab))
    assert condition(lab.broker(NUMBER).process) == "alive"
    assert topic_setting(lab, BULK, "retention.ms") == KEPT
    operator.counts()


@pytest.mark.parametrize("walker", walkers((1, 3, 9), (2, 5, 8), (4, 6, 7, 10)))
def test_a_topic_keeps_less_until_the_broker_is_back(
    operator: Operator, lab: LabState, disk: Disk, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    here, there = operator.types(), on_hosts(lab, operator, [NUMBER])
    reads = reads_the_log(lab, operator)
    before = begins(lab)
    person = walker(lab)
    record = person.walks(
        walked(lab, operator, disk),
        [reads, here, there, here, here, starts(lab), reads, without_resizing(there), here, here],
    )
    notes(person.lines(PROCEDURE))
    assert completed(record), record.entries[-3:]
    assert begins(lab) != before  # where it leads again; the others look for what is over each five minutes only
    all_is_well(lab, operator)
    keeps(record, "hosts, ext4 on a loop device", person.way, person.noticed, operator.ledger)


def test_the_volume_grows_and_nothing_is_deleted(
    operator: Operator, lab: LabState, disk: Disk, notes: Notes, keeps: Keep
) -> None:
    here, there = operator.types(), on_hosts(lab, operator, [NUMBER])
    reads = reads_the_log(lab, operator)

    def grows(_: Sequence[str]) -> None:  # by resize2fs, as the step says in words
        folder = lab.data_of(lab.broker(NUMBER))
        there([f"umount {folder}"])
        disk.grow()
        there([f"e2fsck -f -p {disk.device} || test $? -eq 1"])  # it makes lost+found anew, at which a broker ends
        there([f"resize2fs {disk.device}; mount {disk.device} {folder}; rmdir {folder}/lost+found"])

    before = begins(lab)
    record = Careful().walks(
        walked(lab, operator, disk),
        [
            *(reads, here, grows, does_nothing, does_nothing),  # it goes from here to step 6
            *(starts(lab), reads, without_resizing(there), does_nothing, here),
        ],
    )
    notes([f"{PROCEDURE}, where the volume grows: walked right"])
    assert completed(record), record.entries[-3:]
    assert begins(lab) == before
    all_is_well(lab, operator)
    keeps(record, "hosts, where the volume grows", ledger=operator.ledger)
