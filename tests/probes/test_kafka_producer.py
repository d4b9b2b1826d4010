from types import SimpleNamespace
from typing import Any

from runbook.answers.kafka import TopicPartition
from runbook.answers.kafka.writers import Writer
from runbook.model.fact import Gap
from runbook.probes.kafka_producer import KafkaProducer, observe

ORDERS = TopicPartition("orders", 0)


def kafka(asked: list[str]) -> Any:
    def writers(names: list[str]) -> tuple[dict[TopicPartition, list[Writer]], list[Gap]]:
        asked.extend(names)
        known = Writer(id=7, epoch=2, sequence=9, timestamp=1000, transaction_start=21)
        untimed = Writer(id=8, epoch=0, sequence=-1, timestamp=-1, transaction_start=-1)
        return {ORDERS: [known, untimed], TopicPartition("orders", 1): []}, [Gap("broker 3 did not answer")]

    topics = {"orders": [], "__consumer_offsets": [], "clicks": []}
    return SimpleNamespace(
        topics=lambda: topics,
        internal_topics=lambda: frozenset({"__consumer_offsets"}),
        topics_gaps=lambda: [Gap("topics may be hidden")],
        writers=writers,
    )


def test_each_producer_of_a_partition_is_a_row() -> None:
    asked: list[str] = []
    told = observe(kafka(asked))
    assert told.rows == [
        KafkaProducer(
            topic="orders",
            partition=0,
            producer_id=7,
            epoch=2,
            last_sequence=9,
            last_time="1970-01-01T00:00:01.000Z",
            transaction_start=21,
        ),
        KafkaProducer(
            topic="orders",
            partition=0,
            producer_id=8,
            epoch=0,
            last_sequence=-1,
            last_time=None,
            transaction_start=-1,
        ),
    ]
    assert [gap.reason for gap in told.gaps] == ["topics may be hidden", "broker 3 did not answer"]
    assert asked == ["orders", "clicks"]


def test_topics_are_chosen_by_patterns_internal_ones_too() -> None:
    asked: list[str] = []
    observe(kafka(asked), topics=["__*", "cl*"])
    assert asked == ["__consumer_offsets", "clicks"]
