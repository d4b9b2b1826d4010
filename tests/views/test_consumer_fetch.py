from typing import Any

import pytest

from runbook.model.fact import Gap
from runbook.views.consumer_fetch import ConsumerFetch, compute
from support.kafka_facts import brokers, fact

MIB = 1_048_576


def of(*partitions: int | None, down: tuple[int, ...] = (), gap: bool = False, **limits: int) -> ConsumerFetch:
    seen = {"application": "a", "client": "c", "fetch_size": 2.0 * MIB, "fetch_rate": 30.0}
    members = [{"group": "g", "member": f"m{n}", "client": "c", "partitions": p} for n, p in enumerate(partitions)]
    members.append({"group": "g", "member": "other", "client": "d", "partitions": 9})
    member = fact("kafka_group_member", members, *([Gap("hidden")] if gap else []))
    [row] = compute(consumer=fact("client_consumer", [seen]), member=member, broker=brokers(*down), **limits).rows
    assert isinstance(row, ConsumerFetch)
    return row


@pytest.mark.parametrize(
    ("partitions", "down", "per_fetch", "limit", "rate"),
    [
        (6, (), 2, 2 * MIB, 10.0),
        (7, (), 3, 3 * MIB, 10.0),
        (6, (3,), 3, 3 * MIB, 15.0),  # brokers that serve
        (2, (), 1, 1 * MIB, 15.0),  # fewer partitions than brokers: two are fetched from
        (600, (), 200, 50 * MIB, 10.0),  # fetch.max.bytes
    ],
)
def test_a_fetch_has_its_share_of_the_partitions(
    partitions: int, down: tuple[int, ...], per_fetch: int, limit: int, rate: float
) -> None:
    row = of(partitions, down=down)
    assert (row.per_fetch, row.limit, row.rate, row.fill) == (per_fetch, limit, rate, 2 * MIB / limit)
    assert row.room == 50 * MIB // per_fetch


def test_limits_in_force_are_those_that_are_given() -> None:
    assert of(6, partition_bytes=10).limit == 20
    row = of(6, fetch_bytes=MIB)
    assert (row.limit, row.room) == (MIB, MIB // 2)


def test_of_whom_nobody_knows_the_partitions_nothing_is_known() -> None:
    for row in (of(), of(None), of(3, 3), of(0), of(6, gap=True)):
        assert (row.per_fetch, row.limit, row.room, row.fill, row.rate) == (None,) * 5


def test_without_a_count_of_brokers_nothing_is_known() -> None:
    seen: dict[str, Any] = {"application": "a", "client": "c", "fetch_size": 1.0, "fetch_rate": 1.0}
    member = fact("kafka_group_member", [{"client": "c", "partitions": 6}])
    broker = fact("kafka_broker", [{"broker": 1, "in_service": True}], Gap("not all answered"))
    [row] = compute(consumer=fact("client_consumer", [seen]), member=member, broker=broker).rows
    assert isinstance(row, ConsumerFetch)
    assert (row.partitions, row.limit) == (6, None)
