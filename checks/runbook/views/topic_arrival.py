"""When the newest record of each partition arrived, as far as its time tells that."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Gap, Observed, distinct
from runbook.engine.parameter import Parameter
from runbook.engine.view import View

VIEW = View(
    help="One row per partition.",
    columns=(
        Column("topic", "string", "Topic.", key=True, entity="topic"),
        Column("partition", "int", "Number of the partition.", key=True, entity="partition"),
        Column("end", "int", "Offset that the next record will get: so many were ever written."),
        Column("records", "int", "Records that are still there.", unit="records"),
        Column("newest", "timestamp", "Latest time that a record has: it arrived no earlier, but for wrong clocks."),
        Column(
            "arrived",
            "timestamp",
            "When the last of them arrived: that time, where the broker sets it or writers are known to; else unknown.",
        ),
    ),
    of=(("topic", "partition", "end", "records", "newest"), ("name", "timestamp_type")),
    parameters={
        "dated_by_arrival": Parameter(
            type="list[string]", help="shell patterns of topics whose writers date records at the time of writing"
        ),
    },
)


def compute(offset: Fact, topic: Fact, /, *, dated_by_arrival: Sequence[str] | None = None) -> Observed:
    """Work it out from kafka_partition_offset and kafka_topic.

    Where writers set times, a record may have any: Connect gives a dead letter the time of the record that failed.
    That a time then says nothing of arrival is a gap, where there is a time.
    """
    stamps = {row["name"]: row["timestamp_type"] for row in topic.rows()}
    rows: list[tuple[Any, ...]] = []
    gaps: list[Gap] = []
    for one in offset.rows():
        name, newest = one["topic"], one["newest"]
        stamp = stamps.get(name)
        told = stamp == "LogAppendTime" or any(fnmatchcase(name, pattern) for pattern in dated_by_arrival or ())
        if newest and not told:
            gaps.append(Gap(f"{name}: {_untold(stamp)}"))
        rows.append((name, one["partition"], one["end"], one["records"], newest, newest if told else None))
    return Observed(rows=rows, gaps=distinct(gaps))


def _untold(stamp: str | None) -> str:
    if stamp is None:
        return "its message.timestamp.type was not told"
    return f"message.timestamp.type={stamp}: records have the time that writers give them, not that of arrival"
