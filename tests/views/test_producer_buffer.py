import pytest

from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact, Gap
from runbook.views.producer_buffer import ProducerBuffer, compute
from support.client_configs import client_config
from support.kafka_facts import fact

JAVA = ["*=java-4.3"]
TOPICS = fact("kafka_topic", [{"name": f"click{n}", "partitions": 100 * n} for n in (1, 2)])


def config(*said: tuple[str, str | None]) -> Fact:
    return client_config(*[("clicks", "producer", *one) for one in (("bootstrap.servers", "k:9092"), *said)])


def test_a_batch_is_wanted_for_each_partition_of_its_topics() -> None:
    assert compute(config=config(), topic=TOPICS, writes=["clicks=click*"], libraries=JAVA).rows == [
        ProducerBuffer(
            client="clicks", library="java 4.3", partitions=300, batch=16384, buffer=33554432, wanted=300 * 16384
        )
    ]
    said = config(("batch.size", "1000000"), ("buffer.memory", "67108864"))
    assert compute(config=said, topic=TOPICS, writes=["clicks=click1", "clicks=click2"]).rows == [
        ProducerBuffer(
            client="clicks", library="java", partitions=300, batch=1000000, buffer=67108864, wanted=300000000
        )
    ]


def test_what_is_not_known_leaves_what_is_wanted_unknown() -> None:
    [row] = compute(config=config(("batch.size", None)), topic=TOPICS, writes=["clicks=click*"], libraries=JAVA).rows
    assert (row.batch, row.wanted, row.buffer) == (None, None, 33554432)
    [row] = compute(config=config(), topic=TOPICS, writes=["clicks=other"], libraries=JAVA).rows
    assert (row.partitions, row.wanted) == (None, None)
    hidden = fact("kafka_topic", [{"name": "click1", "partitions": 100}], Gap("some are hidden"))
    [row] = compute(config=config(), topic=hidden, writes=["clicks=click*"], libraries=JAVA).rows
    assert (row.partitions, row.wanted) == (None, None)


def test_a_client_without_a_file_is_a_gap_and_one_that_was_not_named_has_no_row() -> None:
    observed = compute(config=config(), topic=TOPICS, writes=["shop=click*"])
    assert (observed.rows, [gap.reason for gap in observed.gaps]) == ([], ["no file of producer shop is known"])
    assert compute(config=config(), topic=TOPICS).rows == []


def test_an_entry_names_a_client_and_a_topic() -> None:
    with pytest.raises(Misconfigured, match="writes: 'clicks' names no client and topic"):
        compute(config=config(), topic=TOPICS, writes=["clicks"])
