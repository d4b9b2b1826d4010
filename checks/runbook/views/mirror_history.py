"""How much of the time that a source's partitions reach back their mirrors reach back too."""

from collections.abc import Iterator
from typing import Annotated, Any

from runbook.model import moment
from runbook.model.fact import Fact, Gap, Observed, distinct
from runbook.model.quantity import Moment, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._mirrors import EXCLUDE, PREFIX, TOPICS, meant

_ASKED = ("topic", "partition", "records", "oldest", "newest")
_OUT_OF_ORDER = 60.0  # seconds; a first record that was not copied may be a little younger than the next


class MirrorHistory(Row):
    """A partition of a topic that is meant to be mirrored, is kept by time or size, and has records at both ends."""

    topic: Annotated[str, Cell("Topic of the source.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    mirror: Annotated[str, Cell("Its mirror.", entity="topic")]
    source_records: Annotated[int | None, Cell("Records that the source still has.", unit="records")]
    records: Annotated[int | None, Cell("Records that the mirror still has.", unit="records")]
    source_oldest: Annotated[Moment | None, Cell("Time of the source's first record, by its own timestamp.")]
    oldest: Annotated[Moment | None, Cell("Time of the mirror's first record, by its own timestamp.")]
    share: Annotated[
        int | None,
        Cell(
            "How much of the time from the source's first record to its newest lies behind the mirror's first record; "
            "unknown where a time is, or where the mirror gives records times of its own.",
            unit="percent",
        ),
    ]
    older: Annotated[
        bool | None,
        Cell(
            "Whether the mirror has records from before all that its source ever had: the source still has its first "
            "record, and that is a minute younger or more. Unknown as the share."
        ),
    ]


VIEW = View(
    help="One row per partition with records at both ends, unless compacted: how far back the mirror reaches.",
    row=MirrorHistory,
    version=2,
    leaves_out="partitions without records at one end, of topics that are compacted, or that are not meant to "
    "be mirrored",
    inputs={
        "source": Input("kafka_partition_offset", columns=(*_ASKED, "begin"), at="source"),
        "target": Input("kafka_partition_offset", columns=_ASKED, at="target"),
        "topic": Input("kafka_topic", columns=("name", "cleanup_policy", "timestamp_type"), at="target"),
    },
    parameters={"prefix": PREFIX, "topics": TOPICS, "exclude": EXCLUDE},
)


def compute(
    *,
    source: Fact,
    target: Fact,
    topic: Fact,
    prefix: str | None = None,
    topics: list[str] | None = None,
    exclude: list[str] | None = None,
) -> Observed:
    """Pair the partitions of two kafka_partition_offset facts, with the target's kafka_topic.

    Compaction takes first records at either end when it comes to them; nothing is said of such topics.
    """
    wanted = meant(topics, exclude)
    settings = {row["name"]: row for row in topic.rows()}
    mirrors = {(row["topic"], row["partition"]): row for row in target.rows()}
    rows: list[MirrorHistory] = []
    gaps: list[Gap] = []
    for original, mirror in _pairs(source, mirrors, prefix or ""):
        if not wanted(original["topic"]) or 0 in (original["records"], mirror["records"]):
            continue
        config = settings.get(mirror["topic"], {"cleanup_policy": None, "timestamp_type": None})
        if config["cleanup_policy"] is not None and "compact" in config["cleanup_policy"]:
            continue
        known = config["cleanup_policy"] is not None and config["timestamp_type"] == "CreateTime"
        if not known:
            gaps.append(Gap(f"{mirror['topic']}: how it is kept was not reported, or its times are those of arrival"))
        rows.append(
            MirrorHistory(
                topic=original["topic"],
                partition=original["partition"],
                mirror=mirror["topic"],
                source_records=original["records"],
                records=mirror["records"],
                source_oldest=original["oldest"],
                oldest=mirror["oldest"],
                share=_share(original["oldest"], original["newest"], mirror["oldest"]) if known else None,
                older=_older(original, mirror["oldest"]) if known else None,
            )
        )
    return Observed(rows=rows, gaps=distinct(gaps))


def _pairs(
    source: Fact, mirrors: dict[tuple[str, int], dict[str, Any]], prefix: str
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for row in source.rows():
        mirror = mirrors.get((prefix + row["topic"], row["partition"]))
        if mirror is not None:
            yield row, mirror


def _older(original: dict[str, Any], begins: str | None) -> bool | None:
    """Whether a mirror that begins then is older than what its source has had from its first record on."""
    if original["begin"] is None or (original["begin"] == 0 and None in (original["oldest"], begins)):
        return None
    if original["begin"] > 0 or original["oldest"] is None or begins is None:
        return False
    return (moment.read(original["oldest"]) - moment.read(begins)).total_seconds() >= _OUT_OF_ORDER


def _share(first: str | None, last: str | None, begins: str | None) -> int | None:
    """Percent of the time from the first to the last that is behind what begins then."""
    if first is None or last is None or begins is None:
        return None
    whole = (moment.read(last) - moment.read(first)).total_seconds()
    lacking = (moment.read(begins) - moment.read(first)).total_seconds()
    if lacking <= 0:
        return 100
    return max(0, round(100 * (whole - lacking) / whole)) if whole > 0 else 0
