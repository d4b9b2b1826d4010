"""How many bytes a group has not read of a partition, beside the size that retention.bytes leaves to it."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Bytes, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class UnreadSize(Row):
    """A group and a partition of a topic whose old segments go by size."""

    group: Annotated[str, Cell("Group id.", key=True, entity="group")]
    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    lag: Annotated[int | None, Cell("Records that it has not read.", unit="records", moves=True)]
    unread_bytes: Annotated[
        Bytes | None,
        Cell(
            "What they take, about: their part of all records of the partition, of its largest replica; 0 where all "
            "is read. Unknown of tiered topics.",
            untold="of a tiered topic a replica has only a part, while retention.bytes counts all of it",
            moves=True,
        ),
    ]
    retention_bytes: Annotated[Bytes | None, Cell("retention.bytes of the topic, which counts for each partition.")]


_LAG: Final = ("group", "topic", "partition", "committed", "begin", "end", "lag")
_TOPIC: Final = ("name", "cleanup_policy", "retention_bytes", "overrides")
_TIERED: Final = "remote.storage.enable"  # a setting of topics only: brokers have no default for it
VIEW = View(
    help="One row per group and partition of kafka_group_lag whose topic deletes by size: the bytes that are unread.",
    row=UnreadSize,
    version=2,
    leaves_out="partitions of topics of which nothing goes by size",
    inputs={
        "lag": Input("kafka_group_lag", columns=_LAG),
        "topic": Input("kafka_topic", columns=_TOPIC),
        "size": Input("kafka_replica_size", columns=("topic", "partition", "size"), tells=True),
    },
    parameters={
        "spare": Parameter(
            type="int", default=1, min=0, help="records of lag that count as none: a transaction's marker is never read"
        ),
    },
)


def compute(*, lag: Fact, topic: Fact, size: Fact, spare: int = 1) -> Observed:
    """Work it out; a topic whose settings are not known has rows of which nothing is known.

    A segment goes while the rest of the partition holds at least retention.bytes, the oldest first: so much of the
    newest always stays.
    """
    by_size = [row for row in topic.rows(*_TOPIC) if not _keeps(row)]
    bounds = {row["name"]: row["retention_bytes"] for row in by_size}
    local = {row["name"] for row in by_size if _is_local(row["overrides"])}
    seen = {*topic.columns["name"]}
    held: dict[tuple[str, int], int] = {}
    for name, partition, found in zip(
        *(size.columns[column] for column in ("topic", "partition", "size")), strict=True
    ):
        if name in local and found is not None:
            held[name, partition] = max(found, held.get((name, partition), found))
    return Observed(
        rows=[
            UnreadSize(
                group=row["group"],
                topic=row["topic"],
                partition=row["partition"],
                lag=row["lag"],
                unread_bytes=_unread(row, held.get((row["topic"], row["partition"])), spare),
                retention_bytes=bounds.get(row["topic"]),
            )
            for row in lag.rows(*_LAG)
            if row["topic"] in bounds or row["topic"] not in seen
        ]
    )


def _keeps(topic: dict[str, Any]) -> bool:
    """Whether it is known that nothing of a topic goes by size."""
    unbounded = topic["retention_bytes"] is not None and topic["retention_bytes"] < 0
    return unbounded or (topic["cleanup_policy"] is not None and "delete" not in topic["cleanup_policy"])


def _is_local(overrides: Mapping[str, str] | None) -> bool:
    """Whether it is known that a topic has no part in a remote store."""
    return overrides is not None and overrides.get(_TIERED, "false") == "false"


def _unread(row: dict[str, Any], held: int | None, spare: int) -> Bytes | None:
    if row["lag"] is None:
        return None
    if row["lag"] <= spare:
        return Bytes(0)
    if held is None or None in (row["begin"], row["end"], row["committed"]) or row["end"] <= row["begin"]:
        return None
    unread = row["end"] - max(row["committed"], row["begin"])
    return Bytes(round(held * unread / (row["end"] - row["begin"])))
