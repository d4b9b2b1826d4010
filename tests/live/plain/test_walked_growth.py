"""A cluster that grows: a fourth broker, and two more controllers, by the text of ha.md and under load."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from kafka_lab import LabState
from kafka_lab.admin import partitions
from kafka_lab.waiting import wait_until
from support.added_nodes import Node, added_nodes
from support.careful_walker import Hand, Walked, does_nothing, types
from support.evidence.labs import kafka_lab
from support.forgetful import Forgetful, Notes, Walker, walkers, wrong
from support.kept_walks import Keep
from support.operators import Operator, at_own_lab, completed, with_numbered_topic

pytestmark = [pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1800)]
WITHIN: Final = 120.0  # seconds; a busy machine takes its time


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[LabState]:
    """A lab of its own: it does not shrink again."""
    with kafka_lab("growing", tmp_path / "labs", []) as started:
        yield with_numbered_topic(started)


@pytest.fixture
def operator(lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where numbered records are written and read."""
    with at_own_lab(lab, tmp_path, WITHIN) as person:
        yield person


def in_folder(operator: Operator, node: Node, lab: LabState) -> Hand:
    """A hand that types what is shown on the host of a node."""
    return types(node.folder, operator.path, {"CLUSTER_ID": lab.cluster_id, "HOST:PORT": lab.bootstrap})


@pytest.mark.parametrize("left_out", wrong((4,), (6,)))
def test_a_fourth_broker_gets_its_share(
    operator: Operator, lab: LabState, tmp_path: Path, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    topics = json.dumps({"topics": [{"topic": name} for name in partitions(lab)], "version": 1})
    (operator.folder / "topics.json").write_text(topics, "utf-8")
    with added_nodes(lab, tmp_path, {4: "az-a"}, roles="broker") as [node]:
        person = Forgetful(left_out)
        record = person.walks(
            Walked(operator.folder, "ha#add-a-broker", lab.name, words={"BROKERS": "1,2,3,4"}),
            [
                in_folder(operator, node, lab),
                lambda _: node.start(lab),
                *[operator.types({"ENVIRONMENT": lab.name})] * 5,
            ],
        )
        notes(person.lines("ha#add-a-broker"))
        assert completed(record), record.entries[-3:]
        held = [partition.replicas for topic in partitions(lab).values() for partition in topic.values()]
        assert sum(4 in replicas for replicas in held) > len(held) / 4
        operator.counts()
        assert operator.ledger.doubled == set()
    keeps(record, "plain", person.way, person.noticed, operator.ledger)


@pytest.mark.parametrize("walker", walkers((4,), (1, 2, 3, 5, 6)))
def test_the_quorum_grows_from_three_to_five(
    operator: Operator, lab: LabState, tmp_path: Path, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    shown: dict[str, Sequence[str]] = {}
    with added_nodes(lab, tmp_path, {4: "az-a", 5: "az-b"}, roles="broker,controller") as [fourth, fifth]:

        def at(node: Node, what: str) -> Hand:
            """A hand at a node's host; its file is called otherwise there."""

            def acts(commands: Sequence[str]) -> None:
                shown[what] = commands
                renamed = [command.replace("controller.properties", node.settings.name) for command in commands]
                in_folder(operator, node, lab)(renamed)

            return acts

        def formats_and_starts(commands: Sequence[str]) -> None:
            at(fourth, "format")(commands)
            fourth.start(lab)

        def repeats(_: Sequence[str]) -> None:
            at(fifth, "format")(shown["format"])
            fifth.start(lab)
            follows = re.compile(rf"^{fifth.number}\s.*Observer", re.MULTILINE)
            wait_until(lambda: follows.search(replicas()), "the fifth to be an observer", within=WITHIN)
            at(fifth, "vote")(shown["vote"])

        def replicas() -> str:
            operator.types({"HOST:PORT": lab.bootstrap})(
                ["kafka-metadata-quorum.sh --bootstrap-server HOST:PORT describe --replication"]
            )
            return operator.output

        person = walker(lab)
        walked = Walked(operator.folder, "ha#grow-the-quorum", lab.name, words={"CONTROLLER": "4"})
        record = person.walks(
            walked,
            [does_nothing, operator.types(), formats_and_starts, at(fourth, "vote"), repeats, does_nothing],
        )
        notes(person.lines("ha#grow-the-quorum"))
        assert completed(record), record.entries[-3:]
        voters = [line.split("\t")[0] for line in replicas().splitlines() if "Follower" in line or "Leader" in line]
        assert sorted(voter.strip() for voter in voters) == ["1", "2", "3", "4", "5"]
        operator.counts()
    keeps(record, "plain", person.way, person.noticed, operator.ledger)
