"""Partitions that were written lately, and whether their leaders remember who wrote: idempotent producers alone."""

from collections import Counter
from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Moment, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class PartitionWriter(Row):
    """A partition."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number within its topic.", key=True)]
    internal: Annotated[bool | None, Cell("Whether Kafka marks the topic as internal.")]
    records: Annotated[int | None, Cell("Its records.", unit="records", moves=True)]
    newest: Annotated[Moment | None, Cell("Latest timestamp of its records.", moves=True)]
    producers: Annotated[
        int | None, Cell("Producer ids that its leader remembers, of the last day.", unit="producers", moves=True)
    ]


VIEW = View(
    help="One row per partition: its newest record, and how many idempotent producers its leader remembers.",
    row=PartitionWriter,
    inputs={
        "offset": Input("kafka_partition_offset", columns=("topic", "partition", "records", "newest")),
        "topic": Input("kafka_topic", columns=("name", "internal"), needs=("internal",)),
        "producer": Input("kafka_producer", columns=("topic", "partition")),
    },
)


def compute(*, offset: Fact, topic: Fact, producer: Fact) -> Observed:
    """Work it out from kafka_partition_offset, kafka_topic and kafka_producer; not told is not none."""
    counts = Counter(zip(producer.columns["topic"], producer.columns["partition"], strict=True))
    internal = {row["name"]: row["internal"] for row in topic.rows("name", "internal")}
    rows = []
    for row in offset.rows("topic", "partition", "records", "newest"):
        place = (row["topic"], row["partition"])
        known = place in counts or producer.complete
        rows.append(
            PartitionWriter(
                topic=row["topic"],
                partition=row["partition"],
                internal=internal.get(row["topic"]),
                records=row["records"],
                newest=row["newest"],
                producers=counts[place] if known else None,
            )
        )
    return Observed(rows=rows)
