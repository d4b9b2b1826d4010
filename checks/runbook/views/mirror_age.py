"""How far the mirror of each partition is behind, by how far both reach and by how old the newest records are."""

from typing import Any

from runbook.engine import moment
from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.parameter import Parameter
from runbook.engine.view import View
from runbook.views._mirrors import EXCLUDE, PREFIX, TOPICS, meant, promised

_ASKED = ("topic", "partition", "begin", "end", "records", "newest")

VIEW = View(
    help="One row per partition of the source's topics that are meant to be mirrored.",
    columns=(
        Column("topic", "string", "Topic of the source.", key=True, entity="topic"),
        Column("partition", "int", "Number of the partition.", key=True, entity="partition"),
        Column("mirror", "string", "The name its mirror has or should have.", entity="topic"),
        Column("present", "bool", "Whether the target has it."),
        Column("source_end", "int", "Offset that the source's next record will get."),
        Column("end", "int", "Offset that the mirror's next record will get: it counts its own records."),
        Column("source_records", "int", "Records that the source still has.", unit="records"),
        Column("records", "int", "Records that the mirror still has.", unit="records"),
        Column("source_newest", "timestamp", "Time of the source's newest record, by its own timestamp."),
        Column("newest", "timestamp", "Time of the mirror's newest record, which keeps the timestamp of the source."),
        Column(
            "behind",
            "int",
            "Between the two: so much time of writing is missing on the target. 0 if the newest record is there; "
            "unknown if either time is. A record that was written while both were asked counts too.",
            unit="s",
        ),
        Column("promised", "int", "Longest that is promised for the topic; unknown if nothing is.", unit="s"),
    ),
    of=(_ASKED, _ASKED),
    parameters={
        "prefix": PREFIX,
        "topics": TOPICS,
        "exclude": EXCLUDE,
        "promises": Parameter(
            type="list[string]", help="what is promised, as in [orders*=10, *=300]: seconds; the first that fits holds"
        ),
    },
)


def compute(
    source: Fact,
    target: Fact,
    /,
    *,
    prefix: str | None = None,
    topics: list[str] | None = None,
    exclude: list[str] | None = None,
    promises: list[str] | None = None,
) -> Observed:
    """Pair the partitions of two kafka_partition_offset facts.

    A mirror without any record is behind by as much as nobody knows; one whose source has none either is not behind.
    """
    wanted, promise = meant(topics, exclude), promised(promises)
    mirrors = {(row["topic"], row["partition"]): row for row in target.rows()}
    rows: list[tuple[Any, ...]] = []
    for one in source.rows():
        if not wanted(one["topic"]):
            continue
        name = (prefix or "") + one["topic"]
        mirror = mirrors.get((name, one["partition"]))
        present = True if mirror else False if target.complete else None
        told = [mirror[column] if mirror else None for column in ("end", "records", "newest")]
        rows.append(
            (
                *(one["topic"], one["partition"], name, present),
                *(one["end"], told[0], one["records"], told[1], one["newest"], told[2]),
                _behind(one["records"], one["newest"], told[2]),
                promise(one["topic"]),
            )
        )
    return Observed(rows=rows)


def _behind(records: int | None, source: str | None, target: str | None) -> int | None:
    if records == 0:
        return 0
    if source is None or target is None:
        return None
    return max(0, round((moment.read(source) - moment.read(target)).total_seconds()))
