from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.rack_spread import VIEW, compute


def spread(replicas: Any, racks: dict[int, str | None]) -> dict[str, Any]:
    partition = Fact("kafka_partition", {"topic": ["orders"], "partition": [0], "replicas": [replicas]})
    broker = Fact("kafka_broker", {"broker": list(racks), "rack": list(racks.values())})
    return next(tabulate("rack_spread", VIEW.columns, compute(partition=partition, broker=broker)).rows())


def test_three_replicas_in_three_racks_are_spread_as_far_as_possible() -> None:
    row = spread([1, 2, 3], {1: "a", 2: "b", 3: "c", 4: "a"})
    assert (row["spread"], row["possible"], row["crowded"], row["most"]) == (3, 3, [], 1)


def test_two_replicas_in_one_rack_name_the_rack() -> None:
    row = spread([1, 4, 3], {1: "a", 2: "b", 3: "c", 4: "a"})
    assert (row["spread"], row["possible"], row["crowded"], row["most"]) == (2, 3, ["a"], 2)


def test_more_replicas_than_racks_can_be_spread_over_the_racks_only() -> None:
    row = spread([1, 2, 3], {1: "a", 2: "b", 3: "a"})
    assert (row["spread"], row["possible"]) == (2, 2)


def test_brokers_without_a_rack_widen_nothing() -> None:
    row = spread([1, 2], {1: "", 2: ""})
    assert (row["racks"], row["spread"], row["possible"], row["most"]) == ([], 0, 0, 0)


def test_an_unknown_rack_leaves_the_spread_unknown() -> None:
    row = spread([1, 9], {1: "a", 2: "b", 9: None})
    assert (row["spread"], row["possible"], row["crowded"]) == (None, None, None)


def test_a_replica_on_a_broker_nobody_knows_leaves_the_spread_unknown() -> None:
    row = spread([1, 9], {1: "a", 2: "b"})
    assert (row["spread"], row["possible"]) == (None, 2)


def test_unknown_replicas_leave_a_row_of_unknowns() -> None:
    assert spread(None, {1: "a"})["spread"] is None
