import pytest

from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact
from runbook.views.fetch_room import FetchRoom, compute
from support.client_configs import consumer

TOPICS = Fact("kafka_topic", {"name": ["orders-eu", "orders-us", "clicks"], "max_message_bytes": [100, None, 300]})


def test_each_topic_that_is_read_has_a_row() -> None:
    config = consumer(("max.partition.fetch.bytes", "200"), ("fetch.max.bytes", "150"))
    assert compute(config=config, topic=TOPICS, reads=["billing=orders*"]).rows == [
        FetchRoom(client="billing", topic="orders-eu", room=150, largest=100),
        FetchRoom(client="billing", topic="orders-us", room=150, largest=None),
    ]


def test_defaults_are_the_same_in_all_libraries() -> None:
    [row] = compute(config=consumer(), topic=TOPICS, reads=["billing = clicks"]).rows
    assert (row.room, row.largest) == (1048576, 300)


@pytest.mark.parametrize("value", [None, "1 MB"])
def test_a_size_that_is_not_told_leaves_it_open(value: str | None) -> None:
    [row] = compute(config=consumer(("fetch.max.bytes", value)), topic=TOPICS, reads=["billing=clicks"]).rows
    assert row.room is None


def test_a_client_without_a_file_is_a_gap() -> None:
    observed = compute(config=consumer(), topic=TOPICS, reads=["shop=clicks"])
    assert (observed.rows, [gap.reason for gap in observed.gaps]) == ([], ["no file of consumer shop is known"])


@pytest.mark.parametrize("entry", ["billing", "=orders", "billing="])
def test_an_entry_names_client_and_topic(entry: str) -> None:
    with pytest.raises(Misconfigured, match="write billing=orders"):
        compute(config=consumer(), topic=TOPICS, reads=[entry])
