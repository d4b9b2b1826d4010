from collections.abc import Mapping
from typing import Any

import pytest

from runbook.model.fact import Fact, tabulate
from runbook.views.topic_config import NEVER, VIEW, compute
from support.kafka_facts import fact

_BROKERS = {
    "log.cleaner.delete.retention.ms": "86400000",
    "log.cleaner.min.compaction.lag.ms": "0",
    "log.cleaner.max.compaction.lag.ms": str(NEVER),
    "log.cleaner.min.cleanable.ratio": "0.5",
    "log.message.timestamp.before.max.ms": str(NEVER),
    "log.message.timestamp.after.max.ms": "3600000",
    "log.local.retention.ms": "-2",
    "log.local.retention.bytes": "-2",
}


def topics(**more: Any) -> Fact:
    cells = {
        "name": "orders",
        "internal": False,
        "cleanup_policy": "delete",
        "retention_ms": 1,
        "segment_bytes": 2,
        "segment_ms": 3,
        "timestamp_type": "CreateTime",
        "overrides": {},
    }
    return fact("kafka_topic", [cells | more])


def settings(*brokers: Mapping[str, str | None]) -> Fact:
    rows = [
        {"broker": number, "setting": name, "value": value}
        for number, broker in enumerate(brokers, 1)
        for name, value in broker.items()
    ]
    return fact("kafka_broker_setting", rows)


def row(topic: Fact, setting: Fact | None = None) -> dict[str, Any]:
    [found] = tabulate(
        "topic_config", VIEW.columns, compute(topic=topic, setting=setting or settings(_BROKERS, _BROKERS))
    ).rows()
    return found


def test_a_topic_that_says_nothing_has_what_brokers_have():
    assert row(topics()) == {
        "topic": "orders",
        "internal": False,
        "deletes": True,
        "compacts": False,
        "retention_ms": 1,
        "segment_bytes": 2,
        "roll_ms": 3,
        "delete_retention_ms": 86400000,
        "min_compaction_lag_ms": 0,
        "max_compaction_lag_ms": NEVER,
        "min_cleanable_dirty_ratio": 0.5,
        "timestamp_type": "CreateTime",
        "timestamp_before_max_ms": NEVER,
        "timestamp_after_max_ms": 3600000,
        "remote_storage": False,
        "local_retention_ms": -2,
        "local_retention_bytes": -2,
    }


def test_what_is_set_on_the_topic_comes_first():
    overrides = {
        "delete.retention.ms": "11",
        "min.compaction.lag.ms": "12",
        "max.compaction.lag.ms": "13",
        "min.cleanable.dirty.ratio": "0.14",
        "message.timestamp.before.max.ms": "15",
        "message.timestamp.after.max.ms": "16",
        "remote.storage.enable": "true",
        "local.retention.ms": "17",
        "local.retention.bytes": "18",
    }
    seen = row(topics(overrides=overrides))
    assert [*seen.values()][7:] == [11, 12, 13, 0.14, "CreateTime", 15, 16, True, 17, 18]


@pytest.mark.parametrize(
    ("policy", "lag", "closed"),
    [("compact", "2", 2), ("compact,delete", "2", 2), ("compact", "4", 3), ("delete", "2", 3)],
)
def test_max_compaction_lag_closes_segments_of_compacted_topics_sooner(policy: str, lag: str, closed: int):
    seen = row(topics(cleanup_policy=policy, overrides={"max.compaction.lag.ms": lag}))
    assert seen["roll_ms"] == closed


def test_where_brokers_differ_what_they_give_is_unknown_and_what_the_topic_says_is_not():
    differing = settings(_BROKERS, _BROKERS | {"log.cleaner.delete.retention.ms": "5"})
    assert row(topics(), differing)["delete_retention_ms"] is None
    assert row(topics(overrides={"delete.retention.ms": "7"}), differing)["delete_retention_ms"] == 7


def test_without_brokers_or_without_the_topics_own_settings_nothing_is_made_up():
    for seen in (row(topics(), settings()), row(topics(overrides=None))):
        of_brokers = [
            name for name in seen if "lag" in name or "_max_" in name or name.startswith(("delete_", "local_"))
        ]
        assert {seen[name] for name in of_brokers} == {None}
        assert seen["min_cleanable_dirty_ratio"] is None


def test_before_the_bound_was_divided_it_held_both_ways():
    old = {"log.message.timestamp.difference.max.ms": "9"}
    assert (row(topics(), settings(old))["timestamp_before_max_ms"]) == 9
    of_both = _BROKERS | old | {"log.message.timestamp.after.max.ms": str(NEVER)}
    assert row(topics(), settings(of_both))["timestamp_after_max_ms"] == 9
    assert row(topics(), settings(_BROKERS | old))["timestamp_after_max_ms"] == 3600000


def test_an_unknown_policy_leaves_unknown_what_hangs_on_it():
    seen = row(topics(cleanup_policy=None))
    assert (seen["deletes"], seen["compacts"], seen["roll_ms"]) == (None, None, None)


def test_topics_stand_in_their_order_each_with_its_own_settings():
    deletes = topics().columns
    compacts = topics(cleanup_policy="compact", overrides={"delete.retention.ms": "7"}).columns
    kinds = [deletes, compacts, deletes, {**compacts, "overrides": [{"delete.retention.ms": "7"}]}]
    columns = {name: [kind[name][0] for kind in kinds] for name in deletes} | {"name": ["a", "b", "c", "d"]}
    made = compute(topic=Fact("kafka_topic", columns), setting=settings(_BROKERS))
    found = [(row.topic, row.compacts, row.delete_retention_ms) for row in made.rows]
    assert found == [("a", False, 86400000), ("b", True, 7), ("c", False, 86400000), ("d", True, 7)]
