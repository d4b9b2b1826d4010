"""Share groups and Streams' own groups, as coordinators of Kafka 4.3.0 described them on a lab.

Of `words` twelve threads of three processes ran Kafka's word count with one standby replica; Kafka's own
kafka-streams-groups.sh said the same of them. Of `parcels-shared` two clients read four partitions.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from runbook.answers.kafka import AnyGroup, Broker
from runbook.connections.kafka import other_groups
from runbook.model.errors import CannotLook, Unreachable
from runbook.model.quantity import BrokerId

BROKER = Broker(id=BrokerId(3), host="127.0.0.1", port=9092, rack="", fenced=False)
RECORDED = json.loads(Path(__file__).with_name("recorded").joinpath("described_groups.json").read_text("utf-8"))
REPARTITION = "words-KSTREAM-AGGREGATE-STATE-STORE-0000000003-repartition"


def listed(name: str, kind: str) -> AnyGroup:
    return AnyGroup(name=name, type=kind, protocol=kind, state="stable", coordinator=BROKER.id)


class Client:
    """Answers with what was recorded, or fails; notes which groups it was asked about."""

    def __init__(self, error: CannotLook | None = None, code: int = 0) -> None:
        self.error, self.code = error, code
        self.asked: list[list[str]] = []

    def ask(self, node: int, label: str, request: Any) -> Any:
        """Give the recorded answer to this kind of request."""
        assert (node, label) == (BROKER.id, BROKER.label)
        self.asked.append(request.group_ids)
        if self.error is not None:
            raise self.error
        kind = type(request).__name__.removesuffix("DescribeRequest")
        response = {
            "ShareGroup": other_groups.ShareGroupDescribeResponse,
            "StreamsGroup": other_groups.StreamsGroupDescribeResponse,
        }[kind]
        answer = response[RECORDED[kind]["version"]].decode(bytes.fromhex(RECORDED[kind]["hex"]), header=True)
        for group in answer.groups:
            group.error_code = self.code
        return answer


def described(client: Client, *groups: AnyGroup, sizes: Mapping[str, int] | None = None) -> list[AnyGroup]:
    return other_groups.described(client, BROKER, groups, sizes or {})  # type: ignore[arg-type]  # it is one at the seam


def test_tasks_are_partitions_and_copies_of_state_are_told_apart() -> None:
    [words] = described(Client(), listed("words", "streams"))
    assert (words.state, words.assignor, words.untold) == ("stable", "", "")
    assert words.members is not None
    topic_partitions = sorted(topic_partition for member in words.members for topic_partition in member.assigned)
    assert topic_partitions == [
        ("streams-plaintext-input", 0),
        ("streams-plaintext-input", 1),
        (REPARTITION, 0),
        (REPARTITION, 1),
    ]
    assert len(words.members) == 12
    assert [len(member.assigned) for member in words.members if member.copies] == [0, 0]
    assert sum(not (member.assigned or member.copies) for member in words.members) == 6
    assert {member.host for member in words.members} == {"127.0.0.1"}
    assert [member.id for member in words.members] == sorted(member.id for member in words.members)


def test_a_task_reads_nothing_of_a_topic_with_fewer_partitions() -> None:
    [words] = described(Client(), listed("words", "streams"), sizes={REPARTITION: 1, "streams-plaintext-input": 2})
    read = sorted(partition for member in words.members or () for partition in member.assigned)
    assert read == [("streams-plaintext-input", 0), ("streams-plaintext-input", 1), (REPARTITION, 0)]


def test_members_of_a_share_group_have_partitions() -> None:
    [shared] = described(Client(), listed("parcels-shared", "share"))
    assert shared.assignor == "simple"
    assert shared.members is not None
    assigned = [
        [(topic_partition.topic, topic_partition.partition) for topic_partition in member.assigned]
        for member in shared.members
    ]
    assert sorted(assigned) == [[("parcels", 0), ("parcels", 1)], [("parcels", 2), ("parcels", 3)]]
    assert {member.client for member in shared.members} == {"console-share-consumer"}


def test_each_kind_is_asked_once_and_no_other_group_at_all() -> None:
    client = Client()
    archive = listed("archive", "classic")
    groups = described(client, archive, listed("parcels-shared", "share"), listed("words", "streams"))
    assert client.asked == [["parcels-shared"], ["words"]]
    assert groups[0] is archive
    assert [group.name for group in groups] == ["archive", "parcels-shared", "words"]
    assert described(Client(), archive) == [archive]


@pytest.mark.parametrize(
    ("client", "why"),
    [
        (Client(error=Unreachable("it is away")), "it is away"),
        (Client(code=30), "Describe on the group and on the topics that it reads"),
        (Client(code=29), "Describe on the group and on the topics that it reads"),
    ],
)
def test_a_group_that_is_not_told_stays_as_it_was_listed_and_says_why(client: Client, why: str) -> None:
    [words] = described(client, listed("words", "streams"))
    assert (words.members, words.assignor, words.state) == (None, None, "stable")
    assert why in words.untold


def test_a_group_that_its_coordinator_leaves_out_says_so() -> None:
    gone, _ = described(Client(), listed("a-third", "streams"), listed("words", "streams"))
    assert (gone.members, gone.state) == (None, "stable")
    assert gone.untold == f"{BROKER.label} was asked for it, and left it out"
