from typing import Any

import pytest

from runbook.views.leaderless_partition import compute
from support.kafka_facts import brokers, partition, partitions


def row(isr: list[int], elr: list[int] | None, replicas: list[int], *down: int, last: int = -1) -> Any:
    seen = partition(0, -1, isr, replicas) | {"elr": elr, "last_leader": last}
    return compute(partition=partitions(seen, partition(1, 1, [1])), broker=brokers(*down))


def test_who_is_eligible_and_holds_no_replica_is_never_elected() -> None:
    [seen] = row([], [1, 2], [3], last=3).rows
    assert (seen.may_lead, seen.eligible, seen.serving, seen.next, seen.last_leader) == ([], [1, 2], [3], 3, 3)
    assert seen.way == "elect"


@pytest.mark.parametrize(
    ("isr", "elr", "down", "may", "way"),
    [
        ([3], [], [3], [3], "start"),  # without eligible leader replicas the last in sync stays so
        ([], [2, 3], [2, 3], [2, 3], "start"),
        ([], [1], [2, 3], [], "start and elect"),
        ([], [1], [2], [], "elect"),
    ],
)
def test_what_gives_it_a_leader(isr: list[int], elr: list[int], down: list[int], may: list[int], way: str) -> None:
    [seen] = row(isr, elr, [2, 3], *down).rows
    assert (seen.may_lead, seen.way) == (may, way)


def test_where_who_is_eligible_or_who_serves_is_not_known_it_is_a_gap() -> None:
    unseen = brokers()
    unseen.columns["in_service"][2] = None
    lost = partitions(partition(0, -1, [], [3]))
    for found in (row([], None, [3]), compute(partition=lost, broker=unseen)):
        assert found.rows == []
        assert [gap.keys for gap in found.gaps] == [{"topic": "t"}]
