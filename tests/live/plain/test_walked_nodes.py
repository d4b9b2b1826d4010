"""Nodes that are lost for good, or taken out of the cluster: ha.md walked by its text, under load."""

import json
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct

from kafka_lab import LabState
from kafka_lab.admin import partitions
from kafka_lab.configuration import properties_file
from kafka_lab.processes import terminate
from kafka_lab.recovery import revive, wait_for_loss
from kafka_lab.waiting import wait_until
from runbook.procedure.walk_record import Record
from support import static_quorums
from support.added_nodes import Node, added_nodes
from support.careful_walker import Hand, Walked, does_nothing
from support.evidence.labs import kafka_lab
from support.forgetful import Notes, Person, Walker, walkers
from support.kept_walks import Keep
from support.numbered_records import PARTITIONS, TOPIC
from support.operators import Operator, at_own_lab, completed, with_numbered_topic

pytestmark = [pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1800)]
PROCEDURE: Final = "ha#replace-a-lost-node"
WITHIN: Final = 120.0  # seconds on a busy machine
SILENT: Final = 10.0  # seconds; silence_ms of ha/controllers-keep-up: whoever replaces a machine comes later than that
QUORUM: Final = "kafka-metadata-quorum.sh --bootstrap-server HOST:PORT describe --replication"


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[LabState]:
    """A lab of its own, whose brokers are its controllers too; in a dynamic quorum, unless a test asks otherwise."""
    if static_quorums.asked(request):
        static_quorums.use(monkeypatch)
    with kafka_lab("nodes", tmp_path / "labs", []) as started:
        yield with_numbered_topic(started)


@pytest.fixture
def operator(lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where numbered records are written and read."""
    with at_own_lab(lab, tmp_path, WITHIN) as person:
        yield person


def directories(operator: Operator, lab: LabState, node: int) -> dict[str, str]:
    """The directory ids of a node, as the quorum tells them, each with its status: Leader, Follower or Observer."""
    operator.types({"HOST:PORT": lab.bootstrap})([QUORUM])
    found = re.findall(rf"^{node}\s+(\S+).*(Leader|Follower|Observer)", operator.output, re.MULTILINE)
    return dict(found)


def silent(operator: Operator, lab: LabState, node: int) -> float:
    """Seconds since a node had all of the metadata, as the leader tells."""
    operator.types({"HOST:PORT": lab.bootstrap})([QUORUM])
    told = re.findall(r"^(\d+) .*\s(\d+)\s+(?:Leader|Follower)", operator.output, re.MULTILINE)
    caught_up = {int(number): int(at) for number, at in told}
    return (max(caught_up.values()) - caught_up[node]) / 1000


class Lost(Struct):
    """A node whose disk is gone for good.

    Attributes:
        number: its node id.
        file: its settings, which the new machine has too.
        starts: starts it there.
    """

    number: int
    file: Path
    starts: Callable[[], object]


def broker_lost(lab: LabState) -> Lost:
    """Kill a broker, and delete all that it has."""
    lost = lab.brokers[1]
    terminate(lost.process, patience=0)
    shutil.rmtree(lab.data_of(lost))
    wait_for_loss(lab, {lost.number})
    return Lost(lost.number, properties_file(lab, lost), lambda: revive(lab, {lost.number}))


class Replacer:
    """Who replaces a node whose disk is lost.

    Attributes:
        hands: one for each step.
    """

    def __init__(self, operator: Operator, lab: LabState, lost: Lost, *, static: bool = False) -> None:
        """It is not known yet what it was."""
        self.operator = operator
        self.lab = lab
        self.lost = lost
        self.old = ""  # directory id of its lost disk
        settles = operator.types({"HOST:PORT": lab.bootstrap})
        votes = does_nothing if static else self._votes  # as the text says
        self.hands: list[Hand] = [self._asks, does_nothing, self._formats, self._starts, votes, settles, settles]

    def _asks(self, commands: Sequence[str]) -> None:
        self.operator.types({"HOST:PORT": self.lab.bootstrap})(commands)
        votes = [
            one for one, told in directories(self.operator, self.lab, self.lost.number).items() if told != "Observer"
        ]
        self.old = self.old or votes[0]  # whoever looks again has written it down

    def _formats(self, commands: Sequence[str]) -> None:
        self.operator.types({"CLUSTER_ID": self.lab.cluster_id})([self._here(command) for command in commands])

    def _here(self, command: str) -> str:
        return command.replace("server.properties", str(self.lost.file))

    def _starts(self, _: Sequence[str]) -> None:
        self.lost.starts()

    def _votes(self, commands: Sequence[str]) -> None:
        takes_out, adds = commands
        assert self.old, "nobody has written down which directory id it had"
        types = self.operator.types({"DIRECTORY_ID": self.old, "HOST:PORT": self.lab.bootstrap})
        wait_until(lambda: self._is_out(types, takes_out), "the old one to be out", within=WITHIN)
        wait_until(self._is_there, "the new one to follow", within=WITHIN)
        types([self._here(adds)])

    def _is_out(self, types: Hand, takes_out: str) -> bool:
        """As the text says: while controllers elect it is run again, and one that is out is refused for good."""
        if self.old in directories(self.operator, self.lab, self.lost.number):
            try:
                types([takes_out])
            except AssertionError as error:
                if "NotLeaderOrFollower" in str(error):
                    return False
                if "VoterNotFound" not in str(error):
                    raise
        return True

    def _is_there(self) -> bool:
        return bool(set(directories(self.operator, self.lab, self.lost.number)) - {self.old})

    def walked_by(self, person: Person) -> Record:
        """Replace it to the end; gives the record."""
        words = {"BROKERS": "1,2,3", "ID": str(self.lost.number)}
        record = person.walks(Walked(self.operator.folder, PROCEDURE, self.lab.name, words=words), self.hands)
        assert completed(record), record.entries[-3:]
        self.operator.counts()
        return record


@pytest.mark.parametrize("walker", walkers((1,), (2, 3), (4, 6), (5, 7), once=(3,)))
def test_a_node_whose_disk_is_lost_is_replaced(
    operator: Operator, lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    person = walker(lab)
    record = Replacer(operator, lab, broker_lost(lab)).walked_by(person)
    notes(person.lines(PROCEDURE))
    keeps(record, "plain", person.way, person.noticed, operator.ledger)


@pytest.mark.parametrize("lab", ["static"], indirect=True)
@pytest.mark.parametrize("walker", walkers((1,), (2, 3), (4, 6), (7,), once=(3,)))
def test_one_of_a_static_quorum_is_replaced(
    operator: Operator, lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    person = walker(lab)
    record = Replacer(operator, lab, broker_lost(lab), static=True).walked_by(person)
    notes(person.lines(PROCEDURE))
    keeps(record, "plain, a static quorum", person.way, person.noticed, operator.ledger)


@pytest.mark.parametrize("walker", walkers((1,), (2, 3), (4, 6), (5,), once=(3,)))
def test_a_controller_that_is_no_broker_is_replaced(
    operator: Operator, lab: LabState, tmp_path: Path, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    with added_nodes(lab, tmp_path, {4: "az-a"}, roles="controller") as [node]:
        formats = f"kafka-storage.sh format --cluster-id {lab.cluster_id} --config {node.settings}"
        operator.types()([f"{formats} --no-initial-controllers"])
        node.start(lab)
        gets_a_vote(operator, lab, node)
        node.stop()
        shutil.rmtree(node.folder / "data")
        wait_until(lambda: silent(operator, lab, node.number) > SILENT, "its silence to be seen", within=WITHIN)
        person = walker(lab)
        lost = Lost(node.number, node.settings, lambda: node.start(lab))
        record = Replacer(operator, lab, lost).walked_by(person)
    notes(person.lines(PROCEDURE))
    keeps(record, "plain, and a controller that is no broker", person.way, person.noticed, operator.ledger)


def gets_a_vote(operator: Operator, lab: LabState, node: Node) -> None:
    """Add a node that runs to the quorum."""
    wait_until(lambda: bool(directories(operator, lab, node.number)), "the fourth to follow", within=WITHIN)
    adds = f"{QUORUM.partition(' describe')[0]} --command-config {node.settings} add-controller"
    operator.types({"HOST:PORT": lab.bootstrap})([adds])


def holds_and_votes(operator: Operator, lab: LabState, node: Node) -> None:
    """Let a fourth node join, get a vote, and a replica of each numbered partition."""
    types = operator.types({"HOST:PORT": lab.bootstrap})
    types([f"kafka-storage.sh format --cluster-id {lab.cluster_id} --config {node.settings} --no-initial-controllers"])
    node.joins(lab, WITHIN)
    gets_a_vote(operator, lab, node)
    plan = [{"topic": TOPIC, "partition": number, "replicas": [node.number, 1, 2]} for number in range(PARTITIONS)]
    file = operator.folder / "onto.json"
    file.write_text(json.dumps({"version": 1, "partitions": plan}), "utf-8")
    moves = f"kafka-reassign-partitions.sh --bootstrap-server HOST:PORT --reassignment-json-file {file}"
    types([f"{moves} --execute"])
    wait_until(lambda: moved(operator, lab, moves), "the fourth to hold its replicas", within=WITHIN)


def moved(operator: Operator, lab: LabState, moves: str) -> bool:
    """Whether nothing is being moved any more."""
    operator.types({"HOST:PORT": lab.bootstrap})([f"{moves} --verify"])
    return "is still in progress" not in operator.output


@pytest.mark.parametrize("walker", walkers((1, 4, 6), (2, 5, 9), (3, 7), (8,), once=(2, 3)))
def test_a_broker_that_votes_is_taken_out(
    operator: Operator, lab: LabState, tmp_path: Path, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    with added_nodes(lab, tmp_path, {4: "az-a"}, roles="broker,controller") as [goes]:
        holds_and_votes(operator, lab, goes)
        types = operator.types({"HOST:PORT": lab.bootstrap, "ENVIRONMENT": lab.name})

        def takes_its_vote(commands: Sequence[str]) -> None:
            asks, takes = commands
            types([asks])
            for directory in directories(operator, lab, goes.number):
                operator.types({"HOST:PORT": lab.bootstrap, "DIRECTORY_ID": directory})([takes])

        person = walker(lab)
        record = person.walks(
            Walked(operator.folder, "ha#take-a-broker-out", lab.name, words={"BROKERS": "1,2,3", "ID": "4"}),
            [*[types] * 6, lambda _: goes.stop(patience=30), takes_its_vote, types],
        )
        notes(person.lines("ha#take-a-broker-out"))
        assert completed(record), record.entries[-3:]
        held = [partition.replicas for topic in partitions(lab).values() for partition in topic.values()]
        assert not any(goes.number in replicas for replicas in held)
        assert set(directories(operator, lab, goes.number).values()) <= {"Observer"}  # told as one for some minutes
        operator.counts()
    keeps(record, "plain", person.way, person.noticed, operator.ledger)
