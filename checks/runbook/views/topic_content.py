"""What is in each topic, without reading a record: how much, how old, and how evenly over its partitions."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Bytes, Moment, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class TopicContent(Row):
    """A topic."""

    topic: Annotated[str, Cell("Its name.", key=True, entity="topic")]
    internal: Annotated[bool, Cell("Whether Kafka itself marks it as internal.")]
    partitions: Annotated[int, Cell("Its partitions.", unit="partitions")]
    written: Annotated[bool | None, Cell("Whether a record was ever written to it.")]
    records: Annotated[int | None, Cell("Records in all partitions.", unit="records", moves=True)]
    newest: Annotated[Moment | None, Cell("Latest time that a record has; unknown if there is none.", moves=True)]
    bytes: Annotated[Bytes | None, Cell("What its leaders hold.", moves=True)]
    disk_bytes: Annotated[Bytes | None, Cell("What all of its replicas hold.", moves=True)]
    largest: Annotated[PartitionNumber | None, Cell("Partition that holds the most.", moves=True)]
    largest_bytes: Annotated[Bytes | None, Cell("What that one holds.", moves=True)]
    skew: Annotated[
        float | None, Cell("That over the mean of its partitions; 1 where all hold the same, or nothing.", moves=True)
    ]


_TOPIC = ("name", "internal", "partitions", "replication_factor")
VIEW = View(
    help="One row per topic: records, bytes and the newest time over all partitions, and how uneven they are.",
    row=TopicContent,
    inputs={
        "topic": Input("kafka_topic", columns=_TOPIC),
        "offset": Input(
            "kafka_partition_offset",
            columns=("topic", "partition", "leader", "end", "records", "newest"),
            needs=("leader",),
        ),
        "size": Input("kafka_replica_size", columns=("topic", "partition", "broker", "size"), needs=("size",)),
    },
)


def compute(*, topic: Fact, offset: Fact, size: Fact) -> Observed:
    """Work it out from kafka_topic, kafka_partition_offset and kafka_replica_size; one part unknown, the sum is."""
    places: dict[str, list[_Place]] = defaultdict(list)
    cells = zip(*(offset.columns[name] for name in ("topic", *_Place._fields)), strict=True)
    for name, *place in cells:
        places[name].append(_Place(*place))
    sizes: dict[str, dict[tuple[int, int], int]] = defaultdict(dict)
    for name, number, broker, held in zip(
        *(size.columns[column] for column in ("topic", "partition", "broker", "size")), strict=True
    ):
        sizes[name][number, broker] = held
    rows = [_row(row, places[row["name"]], sizes[row["name"]], whole=size.complete) for row in topic.rows(*_TOPIC)]
    return Observed(rows=rows)


class _Place(NamedTuple):
    """A partition, as kafka_partition_offset tells of it."""

    partition: int
    leader: int
    end: int | None
    records: int | None
    newest: Moment | None


def _row(
    topic: Mapping[str, Any],
    places: Sequence[_Place],
    sizes: Mapping[tuple[int, int], int],
    *,
    whole: bool,
) -> TopicContent:
    held = {place.partition: sizes.get((place.partition, place.leader)) for place in places}
    known = [size for size in held.values() if size is not None]
    all_known = len(known) == topic["partitions"]
    # not made up: only where the size of every partition is known
    largest = max(held, key=lambda number: held[number] or 0) if all_known and held else None
    total = sum(known)
    ends = [place.end for place in places]
    return TopicContent(
        topic=topic["name"],
        internal=topic["internal"],
        partitions=topic["partitions"],
        written=True if any(ends) else (False if ends and None not in ends else None),
        records=_sum([place.records for place in places]),
        newest=_newest(places),
        bytes=Bytes(total) if all_known else None,
        disk_bytes=Bytes(sum(sizes.values())) if all_known and whole else None,
        largest=None if largest is None else PartitionNumber(largest),
        # not made up: only where the size of every partition is known
        largest_bytes=None if largest is None else Bytes(held[largest] or 0),
        # not made up: only where the size of every partition is known
        skew=None if largest is None else (held[largest] or 0) * len(known) / total if total else 1.0,
    )


def _sum(values: Sequence[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def _newest(places: Sequence[_Place]) -> Moment | None:
    """Of those that have records; unknown if one of them does not tell."""
    filled = [place.newest for place in places if place.records != 0]
    known = [newest for newest in filled if newest is not None]
    return max(known) if known and len(known) == len(filled) else None
