from typing import Any

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.mirrored_topic import VIEW, compute

NAMES = (
    "name",
    "partitions",
    "replication_factor",
    "min_insync_replicas",
    "cleanup_policy",
    "retention_bytes",
    "retention_ms",
    "max_message_bytes",
)


def topics(*names: str, partitions: int = 6, **more: Any) -> Fact:
    rows = [(name, partitions, 3, 2, "delete", -1, 1000, 1048588) for name in names]
    return Fact("kafka_topic", {column: [row[i] for row in rows] for i, column in enumerate(NAMES)}, **more)


def pairs(source: Fact, target: Fact, **parameters: Any) -> dict[str, dict[str, Any]]:
    seen = tabulate("mirrored_topic", VIEW.columns, compute(source=source, target=target, **parameters))
    return {row["topic"]: row for row in seen.rows()}


def test_a_mirror_stands_beside_its_source() -> None:
    row = pairs(topics("orders"), topics("orders", partitions=3))["orders"]
    assert (row["present"], row["partitions"], row["source_partitions"]) == (True, 3, 6)


def test_a_prefix_names_the_mirror() -> None:
    row = pairs(topics("orders"), topics("orders", "us.orders"), prefix="us.")["orders"]
    assert (row["mirror"], row["present"]) == ("us.orders", True)


def test_a_topic_without_a_mirror_is_absent_when_all_of_the_target_was_seen() -> None:
    row = pairs(topics("orders"), topics())["orders"]
    assert (row["present"], row["partitions"], row["source_partitions"]) == (False, None, 6)


def test_a_topic_without_a_mirror_is_unknown_when_the_target_may_hide_some() -> None:
    assert pairs(topics("orders"), topics(gaps=[Gap("topics hidden")]))["orders"]["present"] is None


def test_only_topics_that_are_meant_to_be_mirrored_are_looked_for() -> None:
    source = topics("orders", "orders-old", "clicks", "__consumer_offsets")
    assert [*pairs(source, topics(), topics=["orders*"], exclude=["*-old"])] == ["orders"]
