from typing import Any

import pytest

from runbook.model.fact import Fact, tabulate
from runbook.views.broker_share import VIEW, compute


def shares(
    leaders: list[Any],
    size: list[Any],
    replicas: list[int] | None = None,
    racks: list[Any] | None = None,
    state: dict[str, list[Any]] | None = None,
) -> list[dict[str, Any]]:
    numbers = [*range(1, len(leaders) + 1)]
    held = replicas or [6] * len(numbers)
    balance = Fact("kafka_replica_balance", {"broker": numbers, "leaders": leaders, "replicas": held, "bytes": size})
    service = {"fenced": [False] * len(numbers), "answers": [True] * len(numbers), **(state or {})}
    brokers = Fact("kafka_broker", {"broker": numbers, "rack": racks or ["a"] * len(numbers), **service})
    return list(tabulate("broker_share", VIEW.columns, compute(balance=balance, broker=brokers)).rows())


def test_a_share_is_a_multiple_of_the_mean() -> None:
    seen = shares([2, 4, 6], [100, 100, 400])
    assert [row["leaders_share"] for row in seen] == [0.5, 1.0, 1.5]
    assert [row["bytes_share"] for row in seen] == [0.5, 0.5, 2.0]
    assert seen[0]["mean_leaders"] == 4.0


def test_where_nobody_has_any_all_have_the_same() -> None:
    assert [row["bytes_share"] for row in shares([1, 1], [0, 0])] == [1.0, 1.0]


def test_without_the_bytes_of_one_broker_no_share_of_bytes_is_known() -> None:
    seen = shares([1, 1], [None, 5])
    assert [row["bytes_share"] for row in seen] == [None, None]
    assert [row["leaders_share"] for row in seen] == [1.0, 1.0]


def test_with_unequal_racks_replicas_and_bytes_are_compared_within_the_rack_and_leaders_among_all() -> None:
    seen = shares([8, 6, 6, 4], [10, 20, 20, 10], [13, 27, 27, 14], racks=["a", "b", "c", "a"])
    assert [row["mean_replicas"] for row in seen] == [13.5, 27, 27, 13.5]
    assert [row["bytes_share"] for row in seen] == [1.0, 1.0, 1.0, 1.0]
    assert [row["peers"] for row in seen] == [2, 1, 1, 2]
    assert [row["mean_leaders"] for row in seen] == [6.0] * 4


def test_with_racks_of_one_size_or_a_broker_without_all_are_compared() -> None:
    for racks in (["a", "b", "a", "b"], ["a", "b", "c", ""]):
        assert [row["peers"] for row in shares([1] * 4, [1] * 4, racks=racks)] == [4] * 4


def test_while_the_rack_of_one_is_unknown_nobody_knows_whose_mean_counts() -> None:
    [row, *_] = shares([1] * 4, [1] * 4, racks=["a", "b", "c", None])
    assert (row["peers"], row["mean_replicas"], row["replicas_share"], row["bytes_share"]) == (None,) * 4
    assert row["leaders_share"] == 1.0


@pytest.mark.parametrize(
    ("fenced", "answers", "away"),
    [
        ([False, False, False], [True, True, True], []),
        ([False, True, False], [True, None, False], [2, 3]),
        ([False, False, False], [True, None, True], None),
        ([None, False, False], [True, True, True], None),
    ],
)
def test_who_is_out_of_service_is_told_or_not_known(fenced: list[Any], answers: list[Any], away: list[int] | None):
    seen = shares([1] * 3, [1] * 3, state={"fenced": fenced, "answers": answers})
    assert [row["away"] for row in seen] == [away] * 3
