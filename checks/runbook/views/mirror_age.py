"""How far the mirror of each partition is behind, by how far both reach and by how old the newest records are."""

from datetime import datetime, timedelta
from typing import Annotated, Any, Final

from runbook.model import moment
from runbook.model.by_pattern import seconds_of
from runbook.model.fact import Fact, Gap, Observed, distinct
from runbook.model.parameter import Parameter
from runbook.model.quantity import Moment, Offset, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._mirrors import EXCLUDE, PREFIX, TOPICS, meant

_ASKED = ("topic", "partition", "begin", "end", "records", "newest")

AHEAD: Final = timedelta(minutes=1)
"""A record from further ahead of our clock than this has no true time: while it is the newest on both sides, nothing
written after it is missed. Our judgement: more than clocks of hosts under NTP differ by."""


class MirrorAge(Row):
    """A partition of the source's topics that are meant to be mirrored."""

    topic: Annotated[str, Cell("Topic of the source.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    mirror: Annotated[str, Cell("The name its mirror has or should have.", entity="topic")]
    present: Annotated[bool | None, Cell("Whether the target has it.")]
    source_end: Annotated[int | None, Cell("Offset that the source's next record will get.")]
    end: Annotated[Offset | None, Cell("Offset that the mirror's next record will get: it counts its own records.")]
    source_records: Annotated[int | None, Cell("Records that the source still has.", unit="records")]
    records: Annotated[int | None, Cell("Records that the mirror still has.", unit="records")]
    source_newest: Annotated[Moment | None, Cell("Time of the source's newest record, by its own timestamp.")]
    newest: Annotated[Moment | None, Cell("Time of the mirror's newest record, by its own timestamp.")]
    timestamp_type: Annotated[str | None, Cell("message.timestamp.type of the mirror: CreateTime keeps the source's.")]
    behind: Annotated[
        int | None,
        Cell(
            "Between the two: so much time of writing is missing on the target. 0 if the newest record is there; "
            "unknown if either time is, if the mirror's is not the source's, or if the source's lies in the future. "
            "A record that was written while both were asked counts too.",
            unit="s",
        ),
    ]
    promised: Annotated[int | None, Cell("Longest that is promised for the topic; unknown if nothing is.", unit="s")]


VIEW = View(
    help="One row per partition of the source's topics that are meant to be mirrored.",
    row=MirrorAge,
    leaves_out="partitions of topics that are not meant to be mirrored",
    inputs={
        "source": Input("kafka_partition_offset", columns=_ASKED, at="source"),
        "target": Input("kafka_partition_offset", columns=_ASKED, at="target"),
        "topic": Input("kafka_topic", columns=("name", "timestamp_type"), at="target"),
    },
    version=2,
    parameters={
        "prefix": PREFIX,
        "topics": TOPICS,
        "exclude": EXCLUDE,
        "promises": Parameter(
            type="list[string]", help="what is promised, as in [orders*=10, *=300]: seconds; the first that fits holds"
        ),
    },
)


def compute(  # noqa: PLR0913 - the facts and the parameters that the view declares
    *,
    source: Fact,
    target: Fact,
    topic: Fact,
    prefix: str | None = None,
    topics: list[str] | None = None,
    exclude: list[str] | None = None,
    promises: list[str] | None = None,
) -> Observed:
    """Pair the partitions of two kafka_partition_offset facts, with the target's kafka_topic.

    A mirror without any record is behind by as much as nobody knows; one whose source has none either is not behind.
    Why times that are known tell nothing is a gap where something is promised, as a promise is judged by them.
    """
    wanted, promise = meant(topics, exclude), seconds_of(promises)
    mirrors = {(row["topic"], row["partition"]): row for row in target.rows()}
    stamps = {row["name"]: row["timestamp_type"] for row in topic.rows()}
    latest = moment.read(source.collected_at) + AHEAD
    rows: list[MirrorAge] = []
    gaps: list[Gap] = []
    for row in source.rows():
        if not wanted(row["topic"]):
            continue
        name = (prefix or "") + row["topic"]
        mirror = mirrors.get((name, row["partition"]))
        present = target.presence(found=mirror)
        untimely = _untimely(row, stamps.get(name), latest) if mirror and row["newest"] else ""
        if untimely and promises:
            gaps.append(Gap(f"{name}: {untimely}"))
        newest = mirror["newest"] if mirror else None
        rows.append(
            MirrorAge(
                topic=row["topic"],
                partition=row["partition"],
                mirror=name,
                present=present,
                source_end=row["end"],
                end=mirror["end"] if mirror else None,
                source_records=row["records"],
                records=mirror["records"] if mirror else None,
                source_newest=row["newest"],
                newest=newest,
                timestamp_type=stamps.get(name),
                behind=None if untimely else _behind(row["records"], row["newest"], newest),
                promised=promise(row["topic"]),
            )
        )
    return Observed(rows=rows, gaps=distinct(gaps))


def _untimely(source: dict[str, Any], stamp: str | None, latest: datetime) -> str:
    if stamp is None:
        return "message.timestamp.type of the mirror was not reported"
    if stamp != "CreateTime":
        return f"message.timestamp.type={stamp} on the mirror: the times there are those of arrival"
    if moment.read(source["newest"]) > latest:
        return "the newest record is dated ahead of now"
    return ""


def _behind(records: int | None, source: str | None, target: str | None) -> int | None:
    if records == 0:
        return 0
    if source is None or target is None:
        return None
    return max(0, round((moment.read(source) - moment.read(target)).total_seconds()))
