from typing import Any

from runbook.views.group_quota import compute
from support.kafka_facts import fact


def of_group(*quotas: tuple[str, str, float, str]) -> Any:
    members = fact("kafka_group_member", [{"group": "billing", "client": "billing-1"}])
    names = ("who", "limit", "value", "about")
    told = fact("kafka_quota", [dict(zip(names, quota, strict=True)) for quota in quotas] or [dict.fromkeys(names)])
    if not quotas:
        told.columns.update({name: [] for name in names})
    [row] = compute(member=members, quota=told).rows
    return row


def test_the_quota_of_every_client_holds_for_those_without_their_own() -> None:
    row = of_group(
        ("client billing-1", "consumer_byte_rate", 2000.0, "client"),
        ("every client", "consumer_byte_rate", 500.0, "client"),
        ("every client", "request_percentage", 50.0, "client"),
        ("client shop-1", "consumer_byte_rate", 5.0, "client"),
        ("client billing-1", "producer_byte_rate", 5.0, "client"),
    )
    assert row.of_clients == ["consumer_byte_rate 2000 of client billing-1", "request_percentage 50 of every client"]
    assert row.of_users == []


def test_whose_user_it_is_nobody_tells_so_that_those_of_users_are_told_apart() -> None:
    row = of_group(
        ("user alice", "consumer_byte_rate", 5.0, "user"),
        ("user alice, client billing-1", "request_percentage", 1.0, "user and client"),
    )
    assert row.of_clients == []
    assert row.of_users == [
        "consumer_byte_rate 5 of user alice",
        "request_percentage 1 of user alice, client billing-1",
    ]


def test_without_quotas_there_are_none() -> None:
    row = of_group()
    assert (row.of_clients, row.of_users) == ([], [])
