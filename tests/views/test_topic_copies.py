"""Copies that topics have and wait for, beside the brokers in service."""

from typing import Any

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.topic_copies import VIEW, compute
from support.kafka_facts import brokers, partition, partitions


def copies(*rows: dict[str, Any], broker: Fact | None = None) -> list[dict[str, Any]]:
    found = compute(partition=partitions(*rows), broker=broker or brokers())
    return list(tabulate("topic_copies", VIEW.columns, found).rows())


def test_a_topic_has_as_many_copies_as_its_partition_that_has_the_fewest() -> None:
    [row] = copies(partition(0, 1, (1, 2, 3)), partition(1, 2, (2,), (2,)) | {"needs": 1})
    assert row == {
        "topic": "t",
        "internal": False,
        "copies": 1,
        "needs": 1,
        "led": True,
        "holders": [1, 2, 3],
        "brokers": 3,
    }


def test_brokers_that_are_out_of_service_could_hold_nothing() -> None:
    assert [row["brokers"] for row in copies(partition(0, 1, (1,)), broker=brokers(3))] == [2]


def test_a_topic_of_which_a_partition_has_no_leader_is_not_led() -> None:
    assert [row["led"] for row in copies(partition(0, 1, (1,)), partition(1, -1, ()))] == [False]


def test_what_is_not_told_is_not_known() -> None:
    unseen = brokers()
    unseen.gaps.append(Gap("brokers may be hidden"))
    untold = {"leader": None, "needs": None, "replicas": None, "internal": None}
    [row] = copies(partition(0, 1, (1,)) | untold, partition(1, 1, (1,)), broker=unseen)
    assert {name: row[name] for name in ("internal", "copies", "needs", "led", "brokers")} == dict.fromkeys(
        ("internal", "copies", "needs", "led", "brokers")
    )
