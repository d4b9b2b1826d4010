"""A quorum of which a majority of disks is gone, made anew from what is left: dr.md walked by its text, under load."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, Final

import pytest

from kafka_lab import LabState, parts
from kafka_lab.configuration import properties_file
from kafka_lab.content import write_records
from kafka_lab.processes import condition, terminate
from kafka_lab.recovery import revive
from kafka_lab.state import LabBroker
from kafka_lab.waiting import wait_until
from support import static_quorums
from support.added_nodes import Node, added_nodes
from support.careful_walker import Hand, Walked, does_nothing
from support.evidence.labs import kafka_lab
from support.forgetful import Notes, Walker, walkers
from support.kept_walks import Keep
from support.numbered_records import TOPIC
from support.operators import Operator, at_own_lab, completed, with_numbered_topic
from support.quorum_state import led_last, wait_until_it_resigns

pytestmark = [pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1800)]
WITHIN: Final = 120.0  # seconds on a busy machine
LATE: Final = "late"  # made while the one whose disk is left was down


def metadata_of(lab: LabState, broker: LabBroker) -> Path:
    """Where a node has its metadata, on a disk of their own."""
    return Path(lab.folder, "metadata", f"broker-{broker.number}")


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[LabState]:
    """A lab of its own, whose brokers are its controllers too, with a disk for metadata and one for records.

    Its quorum is dynamic, unless a test asks for a `static` one.
    """
    others = parts.broker_settings

    def settings(lab: LabState, broker: LabBroker) -> dict[str, Any]:
        return others(lab, broker) | {"metadata.log.dir": str(metadata_of(lab, broker))}

    monkeypatch.setattr(parts, "broker_settings", settings)
    if static_quorums.asked(request):
        static_quorums.use(monkeypatch)
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


class Rebuilder:
    """Who makes the lost disks anew, from the one that is left.

    Attributes:
        hands: one for each step.
    """

    def __init__(self, operator: Operator, lab: LabState, *, static: bool = False) -> None:
        """Two of three disks of the metadata are gone, and the third no longer leads."""
        self.operator = operator
        self.lab = lab
        self.static = static
        self.lives, *lost = lab.brokers
        led = led_last(metadata_of(lab, self.lives))
        # as the text says: first one that did not lead
        self.first, self.second = sorted(lost, key=lambda broker: broker.number == led)
        self.shown: Sequence[str] = ()  # of the step that formats a disk
        self.voters: dict[str, str] = {}  # node id → directory id
        self.hands: list[Hand] = [
            self._reads_who_votes,
            does_nothing,
            Host(operator, lab, self.lives).types,
            self._formats_one,
            self._starts_it,
            self._repeats,
            self._looks,
        ]

    def _reads_who_votes(self, commands: Sequence[str]) -> None:
        Host(self.operator, self.lab, self.lives).types(commands)
        for line in self.operator.output.splitlines():
            node, directory = line.split("\t")
            self.voters[node] = directory

    def _formats(self, broker: LabBroker, commands: Sequence[str]) -> None:
        if self.static:  # as the text says
            [format_only, _] = commands
            words = {"CLUSTER_ID": self.lab.cluster_id}
            Host(self.operator, self.lab, broker).types([format_only.replace(" --no-initial-controllers", "")], **words)
            return
        assert self.voters, "nobody has read which directory id it had"
        words = {"CLUSTER_ID": self.lab.cluster_id, "DIRECTORY_ID": self.voters[str(broker.number)]}
        Host(self.operator, self.lab, broker).types(commands, **words)

    def _formats_one(self, commands: Sequence[str]) -> None:
        self.shown = commands
        self._formats(self.first, commands)

    def _starts_it(self, _: Sequence[str]) -> None:
        revive(self.lab, {self.lives.number, self.first.number})

    def _repeats(self, commands: Sequence[str]) -> None:
        self._formats(self.second, self.shown)
        revive(self.lab, {self.second.number})
        self.operator.types({"HOST:PORT": self.lives.address})(commands)

    def _looks(self, commands: Sequence[str]) -> None:
        lists, finds = commands
        self.operator.types({"HOST:PORT": self.lab.bootstrap})([lists])
        assert TOPIC in self.operator.output.splitlines()
        self.finds(finds, self.lab.data_of(self.first))

    def finds(self, command: str, records: Path) -> None:
        """Look on the disk of a broker's records."""
        self.operator.types()([command.replace("/var/lib/kafka", str(records))])


def two_of_three_disks_are_lost(lab: LabState) -> None:
    """Kill two of three controllers and delete their metadata; the third leads no more afterwards."""
    lives, *lost = lab.brokers
    for broker in lost:
        terminate(broker.process, patience=0)
        shutil.rmtree(metadata_of(lab, broker))
    revive(lab, {lives.number})
    wait_until_it_resigns(metadata_of(lab, lives), lives.number)


@pytest.mark.parametrize("walker", walkers((1,), (3, 5), (2, 4, 6), (7,)))
def test_a_quorum_is_made_anew_from_the_one_disk_that_is_left(
    operator: Operator, lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    two_of_three_disks_are_lost(lab)
    person = walker(lab)
    record = person.walks(Walked(operator.folder, "dr#rebuild-a-quorum", lab.name), Rebuilder(operator, lab).hands)
    notes(person.lines("dr#rebuild-a-quorum"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, "plain, metadata on disks of their own", person.way, person.noticed, operator.ledger)


@pytest.mark.parametrize("lab", ["static"], indirect=True)
def test_a_static_quorum_is_made_anew_too(operator: Operator, lab: LabState, keeps: Keep) -> None:
    two_of_three_disks_are_lost(lab)
    person = Rebuilder(operator, lab, static=True)
    record = Walked(operator.folder, "dr#rebuild-a-quorum", lab.name).by(person.hands)
    assert person.voters == {}  # none is printed, by which the text tells that it is a static one
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, "plain, a static quorum", "right", {}, operator.ledger)


def makes_topic(operator: Operator, address: str, topic: str, replicas: str) -> None:
    """Make a topic whose partitions are to be on these brokers."""
    operator.types()(
        [f"kafka-topics.sh --bootstrap-server {address} --create --topic {topic} --replica-assignment {replicas}"]
    )


def reads(operator: Operator, address: str, topic: str, count: int) -> list[str]:
    """The first records of a topic, of those that were written to the late one, sorted."""
    whole = f"--from-beginning --max-messages {count} --timeout-ms 60000"
    operator.types()([f"kafka-console-consumer.sh --bootstrap-server {address} --topic {topic} {whole}"])
    return sorted(line for line in operator.output.splitlines() if line.startswith(LATE))


@contextmanager
def fourth_broker(operator: Operator, lab: LabState, folder: Path) -> Iterator[Node]:
    """A broker that is no controller, with a copy of the metadata of its own."""
    with added_nodes(lab, folder, {4: "az-a"}, roles="broker") as [node]:
        text = node.settings.read_text("utf-8")
        own = text.replace(str(metadata_of(lab, lab.brokers[0])), str(node.folder / "metadata"))
        node.settings.write_text(own, "utf-8")
        operator.types()([f"kafka-storage.sh format --cluster-id {lab.cluster_id} --config {node.settings}"])
        node.joins(lab, WITHIN)
        yield node


def test_records_of_a_topic_that_the_disk_left_never_knew_come_back(
    operator: Operator, lab: LabState, tmp_path: Path, keeps: Keep
) -> None:
    with fourth_broker(operator, lab, tmp_path) as further:
        terminate(lab.brokers[0].process, patience=30)
        makes_topic(operator, lab.brokers[1].address, LATE, "4:2:3,4:2:3")
        wrote = [f"late {number}" for number in range(100)]
        write_records(lab, LATE, wrote)
        two_of_three_disks_are_lost(lab)
        person = Rebuilder(operator, lab)

        def starts_it_again_and_looks(commands: Sequence[str]) -> None:
            wait_until(lambda: condition(further.process) == "stopped", "who had read further to end", within=WITHIN)
            assert "The leader requested truncation to offset" in (further.folder / "node.log").read_text("utf-8")
            further.joins(lab, WITHIN)
            lists, finds = commands
            operator.types({"HOST:PORT": lab.bootstrap})([lists])
            assert LATE not in operator.output.splitlines()
            person.finds(finds, further.folder / "data")

        record = Walked(operator.folder, "dr#rebuild-a-quorum", lab.name).by(
            [*person.hands[:-1], starts_it_again_and_looks]
        )
        assert completed(record), record.entries[-3:]
        aside = sorted(Path(line) for line in operator.output.splitlines())
        assert [folder.name.partition(".")[0] for folder in aside] == [f"{LATE}-0", f"{LATE}-1"]

        # as the text says: through a topic of one copy, to which nobody writes
        makes_topic(operator, lab.bootstrap, "aside", "4,4")
        further.stop(patience=30)
        for number, folder in enumerate(aside):
            for file in chain(*(folder.glob(f"*.{kind}") for kind in ("log", "index", "timeindex"))):
                shutil.copy(file, further.folder / "data" / f"aside-{number}")
        further.joins(lab, WITHIN)
        assert reads(operator, lab.bootstrap, "aside", len(wrote)) == sorted(wrote)
    operator.counts()
    keeps(record, "plain, and a broker that had read further", "right", {}, operator.ledger)
