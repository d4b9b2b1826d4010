"""How long records stay in each partition: when its segments are closed at the rate at which it is written."""

from collections.abc import Mapping
from itertools import compress
from typing import Annotated, Any

from runbook.model import moment
from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Bytes, Milliseconds, Moment, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_MS = 1000


class PartitionRetention(Row):
    """A partition of a topic that deletes by time."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    records: Annotated[int | None, Cell("Records that are there.", unit="records", moves=True)]
    bytes: Annotated[Bytes | None, Cell("What they take on its leader's disk.", moves=True)]
    oldest: Annotated[Moment | None, Cell("Time of the first record, by its own timestamp.", moves=True)]
    newest: Annotated[Moment | None, Cell("Latest time that a record has.", moves=True)]
    retention_ms: Annotated[Milliseconds | None, Cell("retention.ms of the topic.")]
    roll_ms: Annotated[Milliseconds | None, Cell("Time after which a segment is closed, whatever its size.")]
    closes_ms: Annotated[
        Milliseconds | None,
        Cell(
            "Time for which a segment stays open: that, or less where segment.bytes is reached sooner; unknown where "
            "records are all of one moment.",
            moves=True,
        ),
    ]


_CONFIG = ("topic", "deletes", "retention_ms", "segment_bytes", "roll_ms")
VIEW = View(
    help="One row per partition of the topics that delete by time: for how long its segments stay open.",
    row=PartitionRetention,
    leaves_out="partitions of topics that do not delete by time",
    inputs={
        "offset": Input(
            "kafka_partition_offset", columns=("topic", "partition", "leader", "records", "oldest", "newest")
        ),
        "size": Input("kafka_replica_size", columns=("topic", "partition", "broker", "size")),
        "config": Input("topic_config", columns=_CONFIG),
    },
)


def compute(*, offset: Fact, size: Fact, config: Fact) -> Observed:
    """Work it out from kafka_partition_offset, kafka_replica_size and topic_config.

    A topic whose settings are not known has rows of which nothing is known.
    """
    topics = {row["topic"]: row for row in config.rows(*_CONFIG) if not _is_kept(row)}
    places = zip(*(size.columns[name] for name in ("topic", "partition", "broker")), strict=True)
    # Of a hundred thousand partitions: rows as mappings would take several times as long
    told = [name in topics for name in size.columns["topic"]]
    sizes = dict(zip(compress(places, told), compress(size.columns["size"], told), strict=True))
    of_partition = ("topic", "partition", "leader", "records", "oldest", "newest")
    rows = []
    for name, partition, leader, records, oldest, newest in zip(
        *(offset.columns[column] for column in of_partition), strict=True
    ):
        topic = topics.get(name)
        if topic is not None:
            held = sizes.get((name, partition, leader))
            rows.append(
                PartitionRetention(
                    topic=name,
                    partition=partition,
                    records=records,
                    bytes=held,
                    oldest=oldest,
                    newest=newest,
                    retention_ms=None if topic["deletes"] is None else topic["retention_ms"],
                    roll_ms=topic["roll_ms"],
                    closes_ms=_closes(oldest, newest, held, topic),
                )
            )
    return Observed(rows=rows)


def _is_kept(topic: Mapping[str, Any]) -> bool:
    """Whether it is known not to delete by time."""
    keeps = topic["retention_ms"] is not None and topic["retention_ms"] < 0
    return keeps or topic["deletes"] is False


def _closes(
    oldest: Moment | None, newest: Moment | None, held: int | None, topic: Mapping[str, Any]
) -> Milliseconds | None:
    roll, most = topic["roll_ms"], topic["segment_bytes"]
    if oldest is None or newest is None or not held or roll is None or most is None:
        return None
    span = (moment.read(newest) - moment.read(oldest)).total_seconds() * _MS
    return Milliseconds(min(roll, round(most * span / held))) if span > 0 else None
