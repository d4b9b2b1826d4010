from typing import Any

import pytest

from runbook.views import mirror_room
from support.mirror_facts import fact_of, seen

SIZE = {
    "connector": "eu-us",
    "client": "target producer",
    "setting": "max.request.size",
    "value": "1048576",
    "in_force": True,
}
TOPICS = fact_of(
    "kafka_topic",
    [{"name": "orders", "max_message_bytes": 2000}, {"name": "__consumer_offsets", "max_message_bytes": 1}],
)


def room(**change: Any) -> list[tuple[Any, ...]]:
    rows = seen(mirror_room, setting=fact_of("mirror_setting", [SIZE | change]), topic=TOPICS)
    return [(row["topic"], row["max_message_bytes"], row["max_request_size"]) for row in rows]


def test_what_a_topic_takes_stands_beside_what_the_flow_may_send() -> None:
    assert room() == [("orders", 2000, 1048576)]


@pytest.mark.parametrize("value", [None, "${file:a:b}"])
def test_a_size_that_is_no_number_is_not_known(value: str | None) -> None:
    assert room(value=value) == [("orders", 2000, None)]


@pytest.mark.parametrize(
    "other", [{"client": "offset-syncs producer"}, {"setting": "batch.size"}, {"in_force": False}], ids=str
)
def test_other_settings_and_those_without_effect_say_nothing(other: dict[str, Any]) -> None:
    assert room(**other) == []
