import pytest

from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact, Gap
from runbook.views.producer_topic import ProducerTopic, compute
from support.client_configs import client_config, producer

WRITES = ["billing=orders*"]
JAVA = ["billing=java-4.3"]


def topics(*rows: tuple[str, int | None, str | None], gaps: list[Gap] | None = None) -> Fact:
    names, sizes, codecs = ([row[at] for row in rows] for at in range(3))
    return Fact("kafka_topic", {"name": names, "max_message_bytes": sizes, "compression_type": codecs}, gaps or [])


BOTH = topics(("orders", 1000, "producer"), ("films", 5000, "zstd"))


def rows_of(config: Fact, topic: Fact = BOTH, writes: list[str] | None = None) -> list[ProducerTopic]:
    found = compute(topic=topic, config=config, writes=writes or WRITES, libraries=JAVA).rows
    return [row for row in found if isinstance(row, ProducerTopic)]


def test_a_producer_stands_beside_each_topic_that_it_writes() -> None:
    config = producer(("acks", "1"), ("batch.size", "70"), ("compression.type", "lz4"), ("max.request.size", "3000"))
    assert rows_of(config) == [
        ProducerTopic(
            client="billing",
            topic="orders",
            acks="1",
            max_request_size=3000,
            batch_size=70,
            max_message_bytes=1000,
            some_topic_takes=True,
            compression="lz4",
            codec="producer",
            hash="murmur2",
            hashes=["murmur2"],
        )
    ]


def test_whether_some_topic_takes_its_largest_record_is_unknown_if_one_is() -> None:
    config = producer(("max.request.size", "9000"))
    assert rows_of(config)[0].some_topic_takes is False
    assert rows_of(config, topics(("orders", 1000, "producer"), ("films", None, None)))[0].some_topic_takes is None
    assert rows_of(config, topics(("orders", 1000, "producer"), gaps=[Gap("x")]))[0].some_topic_takes is None
    assert rows_of(producer(("max.request.size", None)))[0].some_topic_takes is None


def test_all_producers_of_a_topic_tell_how_its_keys_are_hashed() -> None:
    config = client_config(
        ("billing", "producer", "acks", "all"),
        ("shop", "producer", "partitioner", "consistent_random"),
        ("desk", "producer", "acks", "all"),
    )
    two = rows_of(config, writes=["billing=orders", "shop=orders"])
    assert [row.hashes for row in two] == [["crc32", "murmur2"]] * 2
    assert [row.hashes for row in rows_of(config, writes=["billing=orders", "desk=orders"])] == [None, None]


def test_a_producer_without_a_file_is_a_gap() -> None:
    observed = compute(topic=BOTH, config=producer(), writes=["shop=orders"])
    assert (observed.rows, [gap.reason for gap in observed.gaps]) == ([], ["no file of producer shop is known"])


def test_an_entry_without_a_topic_is_a_mistake_of_the_inventory() -> None:
    with pytest.raises(Misconfigured, match=r"billing=orders\*"):
        compute(topic=BOTH, config=producer(), writes=["billing"])


def test_a_pattern_that_no_topic_fits_is_a_gap() -> None:
    made = compute(topic=BOTH, config=producer(("acks", "1")), writes=["billing=orders", "billing=ordres*"])
    assert [gap.reason for gap in made.gaps] == ["no topic fits ordres*, which producer billing is said to write"]
