"""What a group has left to read of each partition of its topics, also of those in which it has committed nothing."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Offset, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class GroupRemainder(Row):
    """A group and a partition of a topic in which it has committed, or that a member of it reads."""

    group: Annotated[str, Cell("Group id.", key=True, entity="group")]
    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    commits: Annotated[bool | None, Cell("Whether it has ever committed there.")]
    committed: Annotated[Offset | None, Cell("Offset of the record that it is to read next; unknown: see `commits`.")]
    unread: Annotated[
        int | None,
        Cell("Its lag; all that the partition has where it has committed nothing.", unit="records", moves=True),
    ]


_LAG: Final = ("group", "topic", "partition", "commits", "committed", "begin", "end", "lag")
VIEW = View(
    help="One row per group and partition of a topic in which it has committed, or that a member of it reads.",
    row=GroupRemainder,
    inputs={
        "lag": Input("kafka_group_lag", columns=_LAG),
        "offset": Input("kafka_partition_offset", columns=("topic", "partition", "records")),
    },
)


def compute(*, lag: Fact, offset: Fact) -> Observed:
    """Work it out from kafka_group_lag and kafka_partition_offset.

    The former has no row of a partition in which a group without members has committed nothing, such as one that was
    added while the group was stopped.
    """
    records: dict[str, dict[int, int | None]] = {}
    for row in offset.rows("topic", "partition", "records"):
        records.setdefault(row["topic"], {})[row["partition"]] = row["records"]
    rows: list[GroupRemainder] = []
    seen: dict[tuple[str, str], set[int]] = {}
    for row in lag.rows(*_LAG):
        rows.append(_row(row, _unread(row)))
        seen.setdefault((row["group"], row["topic"]), set()).add(row["partition"])
    for (group, topic), partitions in seen.items():
        for number in sorted(records.get(topic, {}).keys() - partitions):
            at = {"group": group, "topic": topic, "partition": number, "commits": False, "committed": None}
            rows.append(_row(at, records[topic][number]))
    return Observed(rows=rows)


def _row(at: Mapping[str, Any], unread: int | None) -> GroupRemainder:
    return GroupRemainder(
        group=at["group"],
        topic=at["topic"],
        partition=at["partition"],
        commits=at["commits"],
        committed=at["committed"],
        unread=unread,
    )


def _unread(row: Mapping[str, Any]) -> int | None:
    if row["commits"] is False:
        return None if row["end"] is None or row["begin"] is None else max(0, row["end"] - row["begin"])
    return row["lag"] if row["commits"] else None
