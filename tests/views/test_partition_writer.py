from runbook.model.fact import Fact, Gap
from runbook.views.partition_writer import PartitionWriter, compute

LATE = "2026-01-01T00:00:00Z"
OFFSET = Fact(
    "kafka_partition_offset",
    {"topic": ["orders", "orders"], "partition": [0, 1], "records": [5, 9], "newest": [LATE, None]},
)
TOPIC = Fact("kafka_topic", {"name": ["orders"], "internal": [False]})


def producers(*partitions: int, gaps: list[Gap] | None = None) -> Fact:
    columns = {"topic": ["orders"] * len(partitions), "partition": [*partitions]}
    return Fact("kafka_producer", columns, gaps or [])


def test_producers_are_counted_by_partition() -> None:
    assert compute(offset=OFFSET, topic=TOPIC, producer=producers(0, 0)).rows == [
        PartitionWriter(topic="orders", partition=0, internal=False, records=5, newest=LATE, producers=2),
        PartitionWriter(topic="orders", partition=1, internal=False, records=9, newest=None, producers=0),
    ]


def test_what_was_not_told_is_not_none() -> None:
    rows = compute(
        offset=OFFSET, topic=Fact("kafka_topic", {"name": [], "internal": []}), producer=producers(0, gaps=[Gap("x")])
    ).rows
    assert [(row.producers, row.internal) for row in rows] == [(1, None), (None, None)]
