from typing import Any

from runbook.views.follower_leaders import compute
from support.kafka_facts import fact


def of_two(*isr: list[int], moving: bool = False) -> Any:
    """What is said of broker 2, which follows 1 and 3 in a partition each."""
    rows = [
        {"topic": "orders", "partition": number, "leader": leader, "replicas": [1, 2, 3], "isr": now}
        for number, (leader, now) in enumerate(zip((1, 3), isr, strict=True))
    ]
    serving = [{"broker": number, "in_service": True} for number in (1, 2, 3)]
    moved = [{"topic": "orders", "partition": number if moving else number + 9} for number in (0, 1)]
    facts = {"partition": ("kafka_partition", rows), "broker": ("kafka_broker", serving)}
    given = {name: fact(*one) for name, one in facts.items()} | {"moved": fact("kafka_reassignment", moved)}
    return {row.broker: row for row in compute(**given).rows}.get(2)


def test_a_broker_that_follows_nobody_is_behind_in_all() -> None:
    row = of_two([1, 3], [3, 1])
    assert (row.follows, row.behind, row.others, row.leaders, row.live) == (2, 2, 0, [1, 3], True)


def test_others_that_are_behind_are_counted_apart() -> None:
    assert of_two([1], [3, 1]).others == 1


def test_replicas_that_are_being_moved_are_left_out() -> None:
    assert of_two([1, 3], [3, 1], moving=True) is None
