from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.broker_share import VIEW, compute


def shares(leaders: list[Any], size: list[Any]) -> list[dict[str, Any]]:
    count = len(leaders)
    columns = {"broker": [*range(1, count + 1)], "leaders": leaders, "replicas": [6] * count, "bytes": size}
    return list(tabulate("broker_share", VIEW.columns, compute(Fact("kafka_replica_balance", columns))).rows())


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
