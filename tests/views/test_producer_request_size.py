from typing import Any

import pytest
from msgspec.structs import replace

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.producer_request_size import VIEW, compute
from support.kafka_facts import fact

_TOPICS = [{"name": "orders", "max_message_bytes": 1048588}, {"name": "scans", "max_message_bytes": 5242880}]


def rows(*clients: tuple[str, str, str | None], topic: Fact | None = None) -> list[dict[str, Any]]:
    config = fact(
        "client_config",
        [{"client": "app", "kind": kind, "setting": name, "value": value} for kind, name, value in clients],
    )
    computed = compute(config=config, topic=topic or fact("kafka_topic", _TOPICS))
    return list(tabulate("producer_request_size", VIEW.columns, computed).rows())


def test_a_producer_that_says_it_stands_beside_the_topic_that_takes_most():
    assert rows(("producer", "max.request.size", "7"), ("producer", "acks", "all")) == [
        {
            "client": "app",
            "kind": "producer",
            "max_request_bytes": 7,
            "largest_topic": "scans",
            "largest_bytes": 5242880,
        }
    ]


@pytest.mark.parametrize("kind", ["consumer", "admin"])
def test_who_does_not_produce_is_left_out(kind: str):
    assert rows((kind, "max.request.size", "7")) == []


@pytest.mark.parametrize("value", [None, "${SIZE}"])
def test_a_variable_is_unknown(value: str | None):
    assert rows(("", "max.request.size", value))[0]["max_request_bytes"] is None


def test_what_topics_take_is_unknown_where_one_may_be_missing():
    hidden = replace(fact("kafka_topic", _TOPICS), gaps=[Gap("topics may be hidden")])
    assert rows(("producer", "max.request.size", "7"), topic=hidden)[0]["largest_bytes"] is None
    unread = fact("kafka_topic", [*_TOPICS, {"name": "audit"}])
    assert rows(("producer", "max.request.size", "7"), topic=unread)[0]["largest_bytes"] is None
    assert rows(("producer", "max.request.size", "7"), topic=fact("kafka_topic", []))[0]["largest_topic"] is None
