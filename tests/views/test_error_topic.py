from typing import Any

import pytest
from msgspec.structs import asdict

from runbook.model.fact import Fact, Gap
from runbook.views.error_topic import VIEW, compute

COLUMNS = [column.name for column in VIEW.columns]
PATTERNS = {"dead_letters": ["*.dlq", "dead-*"], "retries": ["*-retry", "*-retry-*", "later"]}


def topics(*names: str, **overrides: str) -> Fact:
    settings = {name.replace("_", "."): value for name, value in overrides.items()}
    rows: dict[str, list[Any]] = {"name": [*names], "overrides": [settings] * len(names)}
    rows |= {"cleanup_policy": ["delete"] * len(names), "retention_ms": [1000] * len(names)}
    for name in ("partitions", "replication_factor", "min_insync_replicas"):
        rows[name] = [3] * len(names)
    return Fact("kafka_topic", rows)


def rows(of: Fact, **given: Any) -> dict[str, dict[str, Any]]:
    found = [asdict(row) for row in compute(topic=of, **(PATTERNS | given)).rows]
    return {row["topic"]: row for row in found}


@pytest.mark.parametrize(
    ("name", "kind", "source"),
    [
        ("orders.dlq", "dead letters", "orders"),
        ("dead-orders", "dead letters", "orders"),
        ("orders-retry", "retries", "orders"),
        ("orders-retry-5000", "retries", "orders"),
        ("later", "retries", ""),
        ("gone.dlq", "dead letters", ""),
    ],
)
def test_a_name_tells_what_a_topic_is_for_and_whose(name: str, kind: str, source: str):
    found = rows(topics("orders", "x", name))
    assert list(found) == [name]
    assert (found[name]["kind"], found[name]["source"], found[name]["exists"]) == (kind, source, True)
    assert found[name]["source_replication_factor"] == (3 if source else None)


def test_the_longest_name_there_is_is_the_source():
    assert rows(topics("a", "a-retry", "a-retry-retry-1"))["a-retry-retry-1"]["source"] == "a-retry"


def test_one_that_is_wanted_and_not_there_is_a_row_by_the_first_name_that_would_do():
    found = rows(topics("orders"), sources=["orders"])
    assert (found["orders.dlq"]["exists"], found["orders.dlq"]["wanted"]) == (False, True)


def test_whether_it_is_there_is_not_known_where_topics_may_be_hidden():
    some = topics("orders")
    some.gaps.append(Gap("may be hidden"))
    assert rows(some, sources=["orders"])["orders.dlq"]["exists"] is None


def test_any_name_by_convention_does_and_one_for_all_serves_all():
    assert [row["exists"] for row in rows(topics("orders", "dead-orders"), sources=["orders"]).values()] == [True]
    found = rows(topics("orders", "later"), retried=["orders"])
    assert list(found) == ["later"]
    assert list(rows(topics("orders"), retried=["orders"])) == ["orders-retry"]


def test_retries_know_whether_their_source_has_dead_letters():
    assert rows(topics("orders", "orders-retry"))["orders-retry"]["has_dead_letters"] is False
    assert rows(topics("orders", "orders-retry", "orders.dlq"))["orders-retry"]["has_dead_letters"] is True
    some = topics("orders", "orders-retry")
    some.gaps.append(Gap("may be hidden"))
    assert rows(some)["orders-retry"]["has_dead_letters"] is None


def test_timestamps_are_as_the_topic_says_or_else_as_the_broker_does():
    assert rows(topics("a.dlq"))["a.dlq"]["timestamp_type"] == ""
    stamped = topics("a.dlq", message_timestamp_type="LogAppendTime")
    assert rows(stamped)["a.dlq"]["timestamp_type"] == "LogAppendTime"
    stamped.columns["overrides"] = [None]
    assert rows(stamped)["a.dlq"]["timestamp_type"] is None
