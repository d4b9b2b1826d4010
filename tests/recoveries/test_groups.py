from typing import Any

import pytest

from runbook.model.fact import Fact, Gap
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries import (
    consumer_group_caught_up,
    coordinator_available,
    records_spread,
)

_ROW: dict[str, Any] = {
    "group": "billing",
    "topic": "orders",
    "committed": 10,
    "committed_before": 10,
    "commits": True,
    "stable": 50,
    "end": 50,
    "lag": 40,
    "deleted": 3,
    "behind_least": 600.0,
    "behind_most": None,
    "untimed": "timestamps run backwards",
    "open_least": 0.0,
}


def after(recovery: Recovery, *rows: dict[str, Any], **given: list[str]) -> list[dict[str, Any]]:
    whole = [_ROW | row for row in rows]
    fact = Fact("kafka_group_lag", {name: [row[name] for row in whole] for name in _ROW})
    return list(recovery.sets["kafka_group_lag"](fact, Situation({"kafka_group_lag": fact}, given)).rows())


def test_a_group_that_reads_on_has_read_to_the_end_and_others_are_as_they_were() -> None:
    mine, other = after(consumer_group_caught_up.RECOVERY, {}, {"group": "shop"}, groups=["billing"])
    assert mine["deleted"] == 0
    assert (mine["committed"], mine["lag"], mine["behind_least"], mine["behind_most"], mine["untimed"]) == (
        50,
        0,
        0,
        0,
        "",
    )
    assert mine["committed_before"] == 10
    assert other == _ROW | {"group": "shop"}


@pytest.mark.parametrize("probe", ["kafka_group", "kafka_group_offset", "kafka_consumer_group"])
def test_of_what_else_is_told_of_groups_only_that_of_the_group_itself_is_not_known(probe: str) -> None:
    fact = Fact(probe, {"group": ["billing", "shop"], "state": ["empty", "stable"]})
    made = consumer_group_caught_up.RECOVERY.sets[probe](fact, Situation({probe: fact}, {"groups": ["billing"]}))
    assert dict(made.columns) == {"group": ["billing", "shop"], "state": [None, "stable"]}
    assert len(made.gaps) == 1  # members that it would have are not seen


def test_a_group_that_never_committed_had_read_all_before() -> None:
    never = {"committed": None, "committed_before": None, "commits": False, "lag": None}
    [row] = after(consumer_group_caught_up.RECOVERY, never, groups=["billing"])
    assert (row["committed"], row["committed_before"], row["commits"], row["lag"]) == (50, 50, True, 0)


def test_an_end_that_is_not_known_stays_so() -> None:
    [row] = after(consumer_group_caught_up.RECOVERY, {"end": None}, groups=["billing"])
    assert row["committed"] is None


def undone(recovery: Recovery, probe: str, columns: dict[str, list[Any]], **given: list[Any]) -> dict[str, list[Any]]:
    fact = Fact(probe, columns)
    return dict(recovery.sets[probe](fact, Situation({probe: fact}, given)).columns)


def test_partitions_of_the_offsets_topic_that_nobody_led_are_led_and_others_not() -> None:
    columns: dict[str, list[Any]] = {
        "topic": ["__consumer_offsets", "__consumer_offsets", "orders"],
        "leader": [-1, 2, -1],
        "replicas": [[3, 1], [2, 3], [3]],
        "isr": [[], [2, 3], []],
        "out_of_sync": [[3, 1], [], [3]],
        "elr": [[3], [], [3]],
    }
    columns_after = undone(
        coordinator_available.RECOVERY, "kafka_partition", columns, brokers=[[3, 1]], topics=["__consumer_offsets"]
    )
    assert columns_after["leader"] == [3, 2, -1]
    assert (columns_after["isr"], columns_after["elr"]) == ([None, [2, 3], []], [None, [], [3]])


def test_what_hides_groups_is_accounted_for_and_nothing_else() -> None:
    situation = Situation({}, {"brokers": [3], "topics": ["__consumer_offsets"]})
    accounts = [
        coordinator_available.RECOVERY.accounts_for(Gap("out of sight", keys), situation)
        for keys in ({"topic": "__consumer_offsets"}, {"broker": 3}, {"topic": "orders"}, {"broker": 2}, {})
    ]
    assert accounts == [True, True, False, False, False]


def test_keys_that_are_spread_fill_partitions_evenly_and_how_many_records_each_has_is_not_known() -> None:
    sizes: dict[str, list[Any]] = {"topic": ["tolls", "tolls", "orders"], "size": [90, 10, 7]}
    columns_after = undone(records_spread.RECOVERY, "kafka_replica_size", sizes, topics=["tolls"])
    assert columns_after["size"] == [50, 50, 7]
    untold = undone(records_spread.RECOVERY, "kafka_replica_size", sizes | {"size": [90, None, 7]}, topics=["tolls"])
    assert untold["size"] == [None, None, 7]
    places: dict[str, list[Any]] = {
        "topic": ["tolls", "orders"],
        "leader": [1, 2],
        "end": [9, 9],
        "records": [9, 9],
        "oldest": ["a", "b"],
        "newest": ["c", "d"],
    }
    columns_after = undone(records_spread.RECOVERY, "kafka_partition_offset", places, topics=["tolls"])
    assert (columns_after["leader"], columns_after["end"], columns_after["newest"]) == ([1, 2], [None, 9], [None, "d"])
