from typing import Any

from runbook.model.fact import tabulate
from runbook.views.topic_message_size import VIEW, compute
from support.kafka_facts import fact


def row(*fetch: str | None, request: str | None = "104857600") -> dict[str, Any]:
    topic = fact("kafka_topic", [{"name": "orders", "max_message_bytes": 1048588}])
    rows = [
        {"broker": number, "setting": name, "value": value}
        for number, size in enumerate(fetch, 1)
        for name, value in (("replica.fetch.max.bytes", size), ("socket.request.max.bytes", request))
    ]
    [found] = tabulate(
        "topic_message_size", VIEW.columns, compute(topic=topic, setting=fact("kafka_broker_setting", rows))
    ).rows()
    return found


def test_of_brokers_the_one_that_takes_least_counts():
    assert row("1048576", "2097152") == {
        "topic": "orders",
        "max_message_bytes": 1048588,
        "fetch_bytes": 1048576,
        "request_bytes": 104857600,
    }


def test_a_value_that_is_hidden_or_that_nobody_tells_leaves_it_unknown():
    assert row("1048576", None)["fetch_bytes"] is None
    assert row()["request_bytes"] is None
