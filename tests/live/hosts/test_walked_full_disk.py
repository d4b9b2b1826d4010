"""A broker died of a full disk, or lost one of two: ha.md walked until it is back, with every record counted.

Its disk is a loop device, and is filled by records under load until the broker ends by itself. Where root of this
machine may not resize ext4 in use, as in containers, it grows while nothing is mounted from it.
"""

import json
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from kafka_lab import LabState
from kafka_lab.admin import topic_setting
from kafka_lab.content import create_topics
from kafka_lab.processes import condition, terminate
from kafka_lab.recovery import revive, wait_for_loss
from runbook.procedure.walk_record import Record
from support.careful_walker import Careful, Hand, Walked, does_nothing
from support.forgetful import Forgetful, Notes, Person, Walker, walkers, wrong
from support.full_disk import (
    BULK,
    EXT4,
    NEEDED,
    NUMBER,
    SEGMENT,
    XFS,
    Disk,
    begins,
    disk_of,
    fill,
    goes_on_without,
    has_died,
    has_two,
    moved_to,
    words_of_death,
)
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
def disk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Disk]:
    """An empty disk; it is there before the lab, and goes after it."""
    with disk_of(tmp_path, getattr(request, "param", EXT4)) as empty:
        yield empty


@pytest.fixture
def operator(disk: Disk, lab: LabState, tmp_path: Path) -> Operator:
    """Somebody at hosts that came up once the disk was there, before it is full."""
    assert disk.image.exists()
    with_numbered_topic(lab)
    wants_room(tmp_path)
    return Operator(lab, tmp_path)


@pytest.fixture
def died(operator: Operator, lab: LabState, disk: Disk) -> Iterator[Path]:
    """The log directory of a broker that has just died of its full disk; the others go on."""
    folder = moved_to(lab, operator, disk)
    with under_bulk(lab, operator):
        fill(lab, lambda: has_died(lab))
        wait_for_loss(lab, {NUMBER})
        yield folder


@pytest.fixture
def one_of_two(operator: Operator, lab: LabState, disk: Disk) -> Iterator[Path]:
    """The one of a broker's two log directories whose disk is full: it goes on with the other one alone."""
    folder = has_two(lab, operator, disk)
    with under_bulk(lab, operator):
        fill(lab, lambda: goes_on_without(lab, folder))
        assert not has_died(lab)
        yield folder


@contextmanager
def under_bulk(lab: LabState, person: Operator) -> Iterator[None]:
    """Numbered records are written and read, and there is a topic to fill a disk."""
    bulk = {"min.insync.replicas": "2", "segment.bytes": str(SEGMENT), "retention.ms": KEPT}
    create_topics(lab, {BULK: (3, 3, bulk)})
    with under_load(person, lab, WITHIN):
        yield


def walked(lab: LabState, operator: Operator, disk: Disk, folder: Path) -> Walked:
    """The walk, which is told what it is about, and what the topic is to keep in the end."""
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


def restarts(lab: LabState) -> Hand:
    """As systemd does, which does not run in a host: it ends in order, and is started."""

    def acts(_: Sequence[str]) -> None:
        terminate(lab.broker(NUMBER).process, patience=WITHIN)
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
    operator: Operator, lab: LabState, disk: Disk, died: Path, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    person = walker(lab)
    record = walks_with_less_kept(lab, operator, walked(lab, operator, disk, died), person, starts(lab))
    notes(person.lines(PROCEDURE))
    keeps(record, "hosts, ext4 on a loop device", person.way, person.noticed, operator.ledger)


@pytest.mark.parametrize("steps", wrong((6,)))
def test_one_of_two_directories_comes_back(
    operator: Operator, lab: LabState, disk: Disk, one_of_two: Path, steps: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    person = Forgetful(steps)
    record = walks_with_less_kept(lab, operator, walked(lab, operator, disk, one_of_two), person, restarts(lab))
    notes(person.lines(PROCEDURE))
    keeps(record, "hosts, one of two log directories", person.way, person.noticed, operator.ledger)


def walks_with_less_kept(lab: LabState, operator: Operator, walked: Walked, person: Person, comes_up: Hand) -> Record:
    """Walk where a topic keeps less until there is room; `comes_up` is how the broker is started."""
    here, there, reads = operator.types(), on_hosts(lab, operator, [NUMBER]), reads_the_log(lab, operator)
    before = begins(lab)
    lasts = without_resizing(there)
    record = person.walks(walked, [reads, here, there, here, here, comes_up, reads, lasts, here, here])
    assert completed(record), record.entries[-3:]
    assert begins(lab) != before  # where it leads again; the others look for what is over each five minutes only
    all_is_well(lab, operator)
    return record


def test_the_volume_grows_and_nothing_is_deleted(
    operator: Operator, lab: LabState, disk: Disk, died: Path, notes: Notes, keeps: Keep
) -> None:
    there = on_hosts(lab, operator, [NUMBER])

    def grows(_: Sequence[str]) -> None:  # by resize2fs, as the step says in words
        there([f"umount {died}"])
        disk.grow()
        there([f"e2fsck -f -p {disk.device} || test $? -eq 1"])  # it makes lost+found anew, at which a broker ends
        there([f"resize2fs {disk.device}; mount {disk.device} {died}; rmdir {died}/lost+found"])

    record = walks_with_more_room(lab, operator, walked(lab, operator, disk, died), grows, without_resizing(there))
    notes([f"{PROCEDURE}, where the volume grows: walked right"])
    keeps(record, "hosts, where the volume grows", ledger=operator.ledger)


@pytest.mark.skipif(not shutil.which("mkfs.xfs"), reason="xfsprogs is not installed")
@pytest.mark.parametrize("disk", [pytest.param(XFS, id="xfs")], indirect=True)
def test_xfs_grows_while_it_is_mounted(
    operator: Operator, lab: LabState, disk: Disk, died: Path, notes: Notes, keeps: Keep
) -> None:
    there = on_hosts(lab, operator, [NUMBER])

    def grows(_: Sequence[str]) -> None:  # as the step says in words
        disk.grow()
        there([f"xfs_growfs {died}"])

    def sees_the_room(commands: Sequence[str]) -> None:  # it has grown, and has no reserve to give back
        there([re.sub(r"^resize2fs [^;]*; tune2fs [^;]*; ", "", command) for command in commands])

    record = walks_with_more_room(lab, operator, walked(lab, operator, disk, died), grows, sees_the_room)
    notes([f"{PROCEDURE}, where XFS grows: walked right"])
    keeps(record, "hosts, where XFS grows while it is mounted", ledger=operator.ledger)


def walks_with_more_room(lab: LabState, operator: Operator, walked: Walked, grows: Hand, makes_it_last: Hand) -> Record:
    """Walk right where the volume grows at once, from there to step 6: nothing is deleted."""
    here, reads = operator.types(), reads_the_log(lab, operator)
    before = begins(lab)
    hands = [reads, here, grows, does_nothing, does_nothing, starts(lab), reads, makes_it_last, does_nothing, here]
    record = Careful().walks(walked, hands)
    assert completed(record), record.entries[-3:]
    assert begins(lab) == before
    all_is_well(lab, operator)
    return record
