"""When the newest record of each partition arrived, as far as its time tells that."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Annotated

from runbook.model.fact import Fact, Gap, Observed, distinct
from runbook.model.parameter import Parameter
from runbook.model.quantity import Moment, Offset, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class TopicArrival(Row):
    """A partition."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    end: Annotated[Offset | None, Cell("Offset that the next record will get: so many were ever written.")]
    records: Annotated[int | None, Cell("Records that are still there.", unit="records")]
    newest: Annotated[
        Moment | None, Cell("Latest time that a record has: it arrived no earlier, but for wrong clocks.")
    ]
    arrived: Annotated[
        Moment | None,
        Cell(
            "When the last of them arrived: that time, where the broker sets it or writers are known to; else unknown."
        ),
    ]


VIEW = View(
    help="One row per partition.",
    row=TopicArrival,
    inputs={
        "offset": Input("kafka_partition_offset", columns=("topic", "partition", "end", "records", "newest")),
        "topic": Input("kafka_topic", columns=("name", "timestamp_type")),
    },
    parameters={
        "dated_by_arrival": Parameter(
            type="list[string]", help="shell patterns of topics whose writers date records at the time of writing"
        ),
    },
)


def compute(*, offset: Fact, topic: Fact, dated_by_arrival: Sequence[str] | None = None) -> Observed:
    """Work it out from kafka_partition_offset and kafka_topic.

    Where writers set times, a record may have any: Connect gives a dead letter the time of the record that failed.
    That a time then says nothing of arrival is a gap, where there is a time.
    """
    stamps = {row["name"]: row["timestamp_type"] for row in topic.rows()}
    rows: list[TopicArrival] = []
    gaps: list[Gap] = []
    for row in offset.rows():
        name, newest = row["topic"], row["newest"]
        stamp = stamps.get(name)
        dated = stamp == "LogAppendTime" or any(fnmatchcase(name, pattern) for pattern in dated_by_arrival or ())
        if newest and not dated:
            gaps.append(Gap(f"{name}: {_why_unknown(stamp)}"))
        rows.append(
            TopicArrival(
                topic=name,
                partition=row["partition"],
                end=row["end"],
                records=row["records"],
                newest=newest,
                arrived=newest if dated else None,
            )
        )
    return Observed(rows=rows, gaps=distinct(gaps))


def _why_unknown(stamp: str | None) -> str:
    if stamp is None:
        return "its message.timestamp.type was not reported"
    return f"message.timestamp.type={stamp}: records have the time that writers give them, not that of arrival"
