from typing import Any

from msgspec.structs import replace

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.declared_topic import VIEW, compute
from support.kafka_facts import fact

_ORDERS = {
    "name": "orders",
    "internal": False,
    "partitions": 6,
    "replication_factor": 3,
    "cleanup_policy": "compact,delete",
    "compression_type": "producer",
    "max_message_bytes": 1048588,
    "timestamp_type": "CreateTime",
    "min_insync_replicas": 2,
    "min_insync_replicas_source": "DYNAMIC_TOPIC_CONFIG",
    "retention_bytes": -1,
    "retention_ms": 604800000,
    "segment_bytes": 1073741824,
    "segment_ms": 86400000,
    "unclean_leader_election": False,
    "overrides": {"min.insync.replicas": "2", "segment.ms": "86400000", "delete.retention.ms": "5"},
}
_ALL = (
    "orders owner=shop key=order-id order=key objective=durability partitions=6 replicas=3 "
    "cleanup.policy=delete,compact compression.type=producer max.message.bytes=1048588 "
    "message.timestamp.type=CreateTime min.insync.replicas=2 "
    "retention.bytes=-1 retention.ms=604800000 segment.bytes=1073741824 segment.ms=86400000 "
    "unclean.leader.election.enable=false delete.retention.ms=5"
)


def rows(*declared: str, topics: Fact | None = None) -> list[dict[str, Any]]:
    there = topics or fact("kafka_topic", [_ORDERS])
    return list(tabulate("declared_topic", VIEW.columns, compute(topic=there, declared=declared)).rows())


def test_a_topic_that_is_as_declared():
    assert rows(_ALL) == [
        {
            "topic": "orders",
            "exists": True,
            "internal": False,
            "declared": True,
            "owner": "shop",
            "key": "order-id",
            "order": "key",
            "objective": "durability",
            "partitions": 6,
            "safety": True,
            "minimum_source": "DYNAMIC_TOPIC_CONFIG",
            "differs": [],
            "undeclared": [],
            "mistakes": [],
        }
    ]


def test_what_differs_is_told_with_both_values():
    [row] = rows("orders owner=shop retention.ms=1 partitions=12 cleanup.policy=compact min.compaction.lag.ms=9")
    assert row["differs"] == [
        "retention.ms=604800000 (declared 1)",
        "partitions=6 (declared 12)",
        "cleanup.policy=compact,delete (declared compact)",
        "min.compaction.lag.ms=not set (declared 9)",
    ]
    assert row["undeclared"] == ["delete.retention.ms", "min.insync.replicas", "segment.ms"]
    assert row["safety"] is False


def test_unclean_elections_are_compared_as_kafka_writes_them():
    [row] = rows("orders unclean.leader.election.enable=true")
    assert row["differs"] == ["unclean.leader.election.enable=false (declared true)"]


def test_the_first_line_that_fits_counts():
    [row] = rows("pay* owner=bank", "ord* owner=shop", "* owner=nobody")
    assert (row["owner"], row["declared"]) == ("shop", True)


def test_a_topic_that_nobody_declared():
    [row] = rows("payments* owner=bank")
    assert (row["declared"], row["owner"], row["differs"]) == (False, "", [])


def test_a_declared_topic_that_is_not_there_is_a_row_unless_it_is_a_pattern():
    found = rows("orders owner=shop", "payments owner=bank", "audit-* owner=law")
    assert [(row["topic"], row["exists"]) for row in found] == [("orders", True), ("payments", False)]
    assert found[1]["owner"] == "bank"
    assert found[1]["differs"] is None


def test_whether_it_is_there_is_unknown_where_topics_may_be_hidden():
    hidden = replace(fact("kafka_topic", [_ORDERS]), gaps=[Gap("topics may be hidden")])
    assert rows("payments owner=bank", topics=hidden)[1]["exists"] is None


def test_words_that_mean_nothing_are_mistakes():
    [row] = rows("orders ownr=shop retention.ms partitions=6")
    assert row["mistakes"] == ["ownr=shop", "retention.ms"]


def test_settings_that_can_not_be_read_leave_the_comparison_unknown():
    unread = fact("kafka_topic", [{"name": "orders", "internal": False, "partitions": 6}])
    [row] = rows("orders owner=shop retention.ms=1", topics=unread)
    assert (row["differs"], row["undeclared"]) == (None, None)
    [row] = rows("orders owner=shop", topics=unread)
    assert row["differs"] == []
