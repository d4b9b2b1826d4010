"""Where share groups stand, as a coordinator of Kafka 4.3.0 told it on a lab.

Of `parcels-shared` nobody had read for ten minutes. `lounge-share` had joined, and nothing was written to its topic: it
has no start offsets. `nobody` is a name without a group, which another coordinator would keep.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from runbook.answers.kafka import AnyGroup, Broker, TopicPartition
from runbook.connections.kafka import any_group, share_offsets
from runbook.connections.kafka.offsets import Commits, commits_of
from runbook.model.errors import CannotLook, Unreachable
from runbook.model.quantity import BrokerId, PartitionNumber

BROKER = Broker(id=BrokerId(1), host="127.0.0.1", port=9092, rack="", fenced=False)
RECORDED = json.loads(Path(__file__).with_name("recorded").joinpath("described_groups.json").read_text("utf-8"))
SHARED = [("parcels-shared", "share"), ("lounge-share", "share"), ("nobody", "share")]


class Client:
    """A coordinator that answers with what was recorded, or does not; notes which groups it was asked about."""

    def __init__(self, error: CannotLook | None = None, *, knows: bool = True, code: int = 0) -> None:
        self.error, self.known, self.code = error, knows, code
        self.asked: list[list[str]] = []

    def knows(self, request: Any) -> bool:
        """Whether it is of a release that knows this request."""
        return self.known or request.API_KEY != 90

    def ask(self, node: int, label: str, request: Any) -> Any:
        """Give what was recorded."""
        assert (node, label) == (BROKER.id, BROKER.label)
        self.asked.append([group.group_id for group in request.groups])
        if self.error is not None:
            raise self.error
        kept = RECORDED["ShareGroupOffsets"]
        response = share_offsets.DescribeShareGroupOffsetsResponse
        answer = response.decode(bytes.fromhex(kept["hex"]), version=kept["version"])
        answer.groups[0].topics[0].partitions[3].error_code = self.code
        return answer


def commits(client: Client, *groups: tuple[str, str]) -> Commits:
    listed = [
        AnyGroup(name=name, type=kind, protocol=kind, state="stable", coordinator=BROKER.id) for name, kind in groups
    ]
    return commits_of(client, ThreadPoolExecutor(1), listed, {BROKER.id: BROKER})  # type: ignore[arg-type]  # at the seam


def place(topic: str, partition: int) -> TopicPartition:
    return TopicPartition(topic, PartitionNumber(partition))


def test_start_offsets_stand_for_commits_and_lags_are_told() -> None:
    told = commits(Client(), *SHARED[:2])
    assert told.offsets["parcels-shared"] == dict(
        zip([place("parcels", number) for number in range(4)], (290, 290, 290, 289), strict=True)
    )
    assert [*told.lags["parcels-shared"].values()] == [3246, 3245, 3245, 3246]


def test_a_group_that_has_read_nothing_yet_has_partitions_and_no_start_offsets() -> None:
    told = commits(Client(), *SHARED[:2])
    assert told.offsets["lounge-share"] == {}
    assert told.lags["lounge-share"] == {place("lounge", 0): None, place("lounge", 1): None}
    assert told.gaps == []


def test_share_groups_are_asked_about_in_one_request_and_others_not_in_it() -> None:
    client = Client()
    commits(client, *SHARED[:2])
    assert client.asked == [["parcels-shared", "lounge-share"]]


def test_a_group_that_another_coordinator_keeps_is_a_gap() -> None:
    told = commits(Client(), *SHARED)
    assert [gap.keys for gap in told.gaps] == [{"group": "nobody"}]
    assert "nobody" not in told.offsets


def test_a_partition_that_is_refused_is_a_gap_of_its_group() -> None:
    told = commits(Client(code=29), *SHARED[:2])
    assert [gap.keys for gap in told.gaps] == [{"group": "parcels-shared"}]
    assert "Describe on the group and on the topics" in told.gaps[0].right
    assert place("parcels", 3) not in told.offsets["parcels-shared"]


@pytest.mark.parametrize(
    ("client", "why"),
    [
        (Client(error=Unreachable("it is away")), "it is away"),
        (Client(knows=False), "Kafka reports the offsets of share groups from 4.1 on"),
    ],
)
def test_where_nobody_tells_it_is_a_gap_and_no_group_is_known(client: Client, why: str) -> None:
    told = commits(client, *SHARED[:2])
    assert (told.offsets, told.lags) == ({}, {})
    assert why in told.gaps[0].reason


def test_a_group_of_a_type_that_is_not_known_is_a_gap() -> None:
    known = ("classic", "consumer", "share", "streams")
    listed = [
        AnyGroup(name=f"a-{kind}", type=kind, protocol=kind, state="stable", coordinator=BROKER.id)
        for kind in (*known, "queue")
    ]
    [gap] = any_group.of_unknown_types(listed)
    assert (gap.keys, gap.kind) == ({"group": "a-queue"}, "unsupported")
