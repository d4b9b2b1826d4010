from typing import Any

from msgspec.structs import asdict

from runbook.model.fact import Fact, Gap
from runbook.views.connector_dead_letters import VIEW, compute

COLUMNS = [column.name for column in VIEW.columns]


def topics(**copies: int) -> Fact:
    rows: dict[str, list[Any]] = {"name": [*copies], "replication_factor": [*copies.values()]}
    for name in ("partitions", "min_insync_replicas", "retention_ms"):
        rows[name] = [1] * len(copies)
    return Fact("kafka_topic", rows | {"cleanup_policy": ["delete"] * len(copies)})


def connector(**changes: Any) -> Fact:
    row = {"connector": "c", "type": "sink", "dlq_topic": "dlq", "dlq_replication_factor": 3, "dlq_headers": True}
    row |= {"topics": ["orders", "refunds"]} | changes
    return Fact("connect_connector", {name: [value] for name, value in row.items()})


def row(connectors: Fact, of: Fact) -> dict[str, Any]:
    [only] = compute(connector=connectors, topic=of).rows
    return asdict(only)


def test_a_topic_is_shown_with_what_kafka_says_of_it_and_the_fewest_copies_of_its_sources():
    found = row(connector(), topics(dlq=3, orders=3, refunds=2))
    assert (found["exists"], found["replication_factor"], found["source_replication_factor"]) == (True, 3, 2)


def test_a_topic_that_is_not_seen_is_missing_only_where_all_would_be_seen():
    some = topics(orders=3, refunds=3)
    assert row(connector(), some)["exists"] is False
    some.gaps.append(Gap("may be hidden"))
    assert row(connector(), some)["exists"] is None


def test_copies_of_sources_are_unknown_where_one_is_not_seen_or_they_are_read_by_pattern():
    assert row(connector(), topics(dlq=3, orders=3))["source_replication_factor"] is None
    assert row(connector(topics=None), topics(dlq=3, orders=3))["source_replication_factor"] is None


def test_who_has_none_has_no_row_and_who_hides_it_has_one():
    assert list(compute(connector=connector(dlq_topic=""), topic=topics()).rows) == []
    assert list(compute(connector=connector(type="source"), topic=topics(dlq=3)).rows) == []
    assert row(connector(dlq_topic=None), topics(dlq=3))["exists"] is None
