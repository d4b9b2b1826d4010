from typing import Any

import pytest

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.subject_use import VIEW, compute
from support.schema_facts import subjects

RECORDS = {"shop.Order": "shop.Order", "orders-shop.Order": "shop.Order", "a-b-value": "shop.Order", "odd": "x"}


def use(name: str, *, record: str | None = "", gaps: tuple[Gap, ...] = ()) -> tuple[Any, ...]:
    latest = Fact("schema_latest", {"subject": [name], "record": [RECORDS.get(name, record)]})
    topic = Fact("kafka_topic", {"name": ["orders", "a-b"]}, [*gaps])
    made = compute(subject=subjects({name: "FULL"}, deleted=("gone",)), latest=latest, topic=topic)
    [row] = made.rows
    assert len(tabulate("subject_use", VIEW.columns, made)) == 1
    assert row.compatibility == "FULL"
    return row.strategy, row.topic, row.part, row.exists


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("orders-value", ("topic", "orders", "value", True)),
        ("orders-key", ("topic", "orders", "key", True)),
        ("a-b-value", ("topic", "a-b", "value", True)),
        ("lost-value", ("topic", "lost", "value", False)),
        ("shop.Order", ("record", "", "", True)),
        ("orders-shop.Order", ("topic and record", "orders", "", True)),
        ("odd", ("", "", "", False)),
    ],
)
def test_the_name_tells_the_strategy_and_the_topic(name: str, expected: tuple[Any, ...]):
    assert use(name) == expected


def test_a_topic_that_may_only_be_hidden_is_not_known_to_be_missing():
    assert use("lost-value", gaps=(Gap("we may not see all topics"),))[-1] is None


def test_a_name_that_may_be_a_records_is_not_known_to_fit_none():
    assert use("odder", record=None)[-1] is None
