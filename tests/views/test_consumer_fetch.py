from typing import Any

import pytest

from runbook.model.fact import Gap
from runbook.views.consumer_fetch import ConsumerFetch, compute
from support.client_configs import client_config
from support.kafka_facts import brokers, fact

MIB = 1_048_576


def of(
    *partitions: int | None,
    down: tuple[int, ...] = (),
    gap: bool = False,
    size: float = 1.0 * MIB,
    said: tuple[tuple[str, str, str, str | None], ...] = (),
    **limits: int,
) -> ConsumerFetch:
    seen = {"application": "a", "client": "c", "fetch_size": size, "fetch_rate": 30.0}
    members = [{"group": "g", "member": f"m{n}", "client": "c", "partitions": p} for n, p in enumerate(partitions)]
    members.append({"group": "g", "member": "other", "client": "d", "partitions": 9})
    member = fact("kafka_group_member", members, *([Gap("hidden")] if gap else []))
    [row] = compute(
        consumer=fact("client_consumer", [seen]),
        member=member,
        broker=brokers(*down),
        config=client_config(*said),
        **limits,
    ).rows
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
    assert (row.per_fetch, row.limit, row.rate, row.fill) == (per_fetch, limit, rate, MIB / limit)
    assert row.room == 50 * MIB // per_fetch


def test_limits_in_force_are_those_that_are_given() -> None:
    assert of(6, partition_bytes=10, size=9.0).limit == 20
    row = of(6, fetch_bytes=MIB)
    assert (row.limit, row.room) == (MIB, MIB // 2)


PARTITION = "max.partition.fetch.bytes"


@pytest.mark.parametrize(
    ("said", "limit"),
    [
        ((("a", "consumer", PARTITION, "5242880"),), 50 * MIB),
        ((("a", "consumer", PARTITION, "5242880"), ("a", "consumer", "fetch.max.bytes", "2097152")), 2 * MIB),
        ((("z", "consumer", "client.id", "c"), ("z", "consumer", PARTITION, "2097152")), 20 * MIB),
        ((("a", "consumer", PARTITION, None),), None),
        ((("a", "consumer", "group.id", "g"),), 10 * MIB),  # known, and it sets neither
        ((("a", "producer", PARTITION, "5242880"),), 10 * MIB),
        ((("z", "consumer", PARTITION, "5242880"),), 10 * MIB),
    ],
)
def test_limits_are_those_of_the_consumers_file(
    said: tuple[tuple[str, str, str, str | None], ...], limit: int | None
) -> None:
    assert of(30, said=said).limit == limit


def test_fetches_that_are_larger_than_what_is_assumed_leave_the_limit_unknown() -> None:
    row = of(30, size=12.0 * MIB)
    assert (row.limit, row.fill, row.room) == (None, None, 5 * MIB)
    assert of(30, size=12.0 * MIB, said=(("a", "consumer", "group.id", "g"),)).fill == 1.2


def test_of_whom_nobody_knows_the_partitions_nothing_is_known() -> None:
    for row in (of(), of(None), of(3, 3), of(0), of(6, gap=True)):
        assert (row.per_fetch, row.limit, row.room, row.fill, row.rate) == (None,) * 5


def test_without_a_count_of_brokers_nothing_is_known() -> None:
    seen: dict[str, Any] = {"application": "a", "client": "c", "fetch_size": 1.0, "fetch_rate": 1.0}
    member = fact("kafka_group_member", [{"client": "c", "partitions": 6}])
    broker = fact("kafka_broker", [{"broker": 1, "in_service": True}], Gap("not all answered"))
    [row] = compute(consumer=fact("client_consumer", [seen]), member=member, broker=broker, config=client_config()).rows
    assert isinstance(row, ConsumerFetch)
    assert (row.partitions, row.limit) == (6, None)
