from collections.abc import Iterable
from typing import Any

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.leader_followers import VIEW, compute
from support.kafka_facts import brokers, fact, partition


def by_leader(
    partitions: Iterable[dict[str, Any]], *gaps: Gap, broker: Fact | None = None
) -> dict[int, dict[str, Any]]:
    made = compute(partition=fact("kafka_partition", partitions, *gaps), broker=broker or brokers())
    return {row["broker"]: row for row in tabulate("leader_followers", VIEW.columns, made).rows()}


def test_a_leader_that_nobody_follows_stands_beside_others_that_are_followed() -> None:
    found = by_leader([partition(0, 2, (2,)), partition(1, 2, (2,)), partition(2, 1, (1, 2, 3))])
    counts = {"led": 2, "alone": 2, "shrunken": 2, "topics": 1, "elsewhere": 0}
    assert found[2] == {"broker": 2, **counts, "followers": [1, 3], "live": True}
    assert (found[1]["led"], found[1]["alone"], found[1]["topics"], found[1]["elsewhere"]) == (1, 0, 0, 2)


def test_partitions_of_a_leader_that_lack_one_follower_are_shrunken_and_not_alone() -> None:
    row = by_leader([partition(0, 2, (2,)), partition(1, 2, (2, 3)), partition(2, 2, (1, 2, 3))])[2]
    assert (row["led"], row["shrunken"], row["alone"]) == (3, 2, 1)


def test_partitions_without_followers_or_without_a_leader_count_for_nobody() -> None:
    assert by_leader([partition(0, 2, (2,), (2,)), partition(1, -1, (3,))]) == {}


def test_a_follower_that_is_down_does_not_live_and_of_one_that_is_cut_off_nobody_knows() -> None:
    shrunken = [partition(0, 2, (2,))]
    assert by_leader(shrunken, broker=brokers(3))[2]["live"] is False
    cut_off = brokers()
    cut_off.columns["in_service"][2] = None
    assert by_leader(shrunken, broker=cut_off)[2]["live"] is None


def test_nothing_is_counted_while_partitions_are_missing() -> None:
    row = by_leader([partition(0, 2, (2,))], Gap("not all topics are seen"))[2]
    assert (row["led"], row["alone"], row["elsewhere"]) == (None, None, None)
