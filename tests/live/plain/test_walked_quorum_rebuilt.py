"""A quorum of which a majority of disks is gone, made anew from what is left: dr.md walked by its text, under load."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from kafka_lab import LabState, parts
from kafka_lab.configuration import properties_file
from kafka_lab.processes import terminate
from kafka_lab.recovery import revive
from kafka_lab.state import LabBroker
from support.careful_walker import Walked, does_nothing
from support.evidence.labs import kafka_lab
from support.forgetful import Notes, Walker, walkers
from support.kept_walks import Keep
from support.numbered_records import TOPIC
from support.operators import Operator, at_own_lab, completed, with_numbered_topic
from support.quorum_state import led_last, wait_until_it_resigns

pytestmark = [pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1800)]
WITHIN: Final = 120.0  # seconds on a busy machine


def metadata_of(lab: LabState, broker: LabBroker) -> Path:
    """Where a node has its metadata, on a disk of their own."""
    return Path(lab.folder, "metadata", f"broker-{broker.number}")


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LabState]:
    """A lab of its own, whose brokers are its controllers too, with a disk for metadata and one for records."""
    others = parts.broker_settings

    def settings(lab: LabState, broker: LabBroker) -> dict[str, Any]:
        return others(lab, broker) | {"metadata.log.dir": str(metadata_of(lab, broker))}

    monkeypatch.setattr(parts, "broker_settings", settings)
    with kafka_lab("quorum", tmp_path / "labs", []) as started:
        yield with_numbered_topic(started)


@pytest.fixture
def operator(lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where numbered records are written and read as long as brokers take them."""
    with at_own_lab(lab, tmp_path, WITHIN) as person:
        yield person


class Host:
    """One controller's host: the commands shown have its folders and its file there."""

    def __init__(self, operator: Operator, lab: LabState, broker: LabBroker) -> None:
        self.operator = operator
        self.lab = lab
        self.broker = broker

    def types(self, commands: Sequence[str], **words: str) -> None:
        """Run commands there."""
        disk, file = str(metadata_of(self.lab, self.broker)), str(properties_file(self.lab, self.broker))
        here = [one.replace("/var/lib/kafka", disk).replace("controller.properties", file) for one in commands]
        self.operator.types(words)(here)


@pytest.mark.parametrize("walker", walkers((1,), (3, 5), (2, 4, 6), (7,)))
def test_a_quorum_is_made_anew_from_the_one_disk_that_is_left(
    operator: Operator, lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    lives, *lost = lab.brokers
    for broker in lost:
        terminate(broker.process, patience=0)
        shutil.rmtree(metadata_of(lab, broker))
    wait_until_it_resigns(metadata_of(lab, lives), lives.number)
    # as the text says: first one that did not lead
    first, second = sorted(lost, key=lambda broker: broker.number == led_last(metadata_of(lab, lives)))
    shown: list[Sequence[str]] = []  # of the step that formats a disk
    voters: dict[str, str] = {}  # node id → directory id

    def reads_who_votes(commands: Sequence[str]) -> None:
        Host(operator, lab, lives).types(commands)
        voters.update(line.split("\t") for line in operator.output.splitlines())  # type: ignore[arg-type]  # two each

    def formats(broker: LabBroker, commands: Sequence[str]) -> None:
        assert voters, "nobody has read which directory id it had"
        words = {"CLUSTER_ID": lab.cluster_id, "DIRECTORY_ID": voters[str(broker.number)]}
        Host(operator, lab, broker).types(commands, **words)

    def formats_one(commands: Sequence[str]) -> None:
        shown.append(commands)
        formats(first, commands)

    def starts_it(_: Sequence[str]) -> None:
        revive(lab, {lives.number, first.number})

    def repeats(commands: Sequence[str]) -> None:
        formats(second, shown[0])
        revive(lab, {second.number})
        operator.types({"HOST:PORT": lives.address})(commands)

    def lists(commands: Sequence[str]) -> None:
        operator.types({"HOST:PORT": lab.bootstrap})(commands)
        assert TOPIC in operator.output.splitlines()

    person = walker(lab)
    record = person.walks(
        Walked(operator.folder, "dr#rebuild-a-quorum", lab.name),
        [reads_who_votes, does_nothing, Host(operator, lab, lives).types, formats_one, starts_it, repeats, lists],
    )
    notes(person.lines("dr#rebuild-a-quorum"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, "plain, metadata on disks of their own", person.way, person.noticed, operator.ledger)
