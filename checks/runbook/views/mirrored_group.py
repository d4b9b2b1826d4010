"""Where consumer groups of a source would go on at the target."""

from fnmatch import fnmatchcase
from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Offset, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._mirrors import EXCLUDE, GROUPS, PREFIX, TOPICS, meant

_ASKED = ("group", "topic", "partition", "state", "committed", "begin", "end", "lag")


class MirroredGroup(Row):
    """A group and partition of a topic that is meant to be mirrored."""

    group: Annotated[str, Cell("Group id, the same at both.", key=True, entity="group")]
    topic: Annotated[str, Cell("Topic of the source.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    mirror: Annotated[str, Cell("The name its mirror has or should have.")]
    present: Annotated[bool | None, Cell("Whether the target has a position of that group in the mirror.")]
    state: Annotated[
        str | None, Cell("State of the group at the target: MirrorMaker moves positions of an empty one only.")
    ]
    source_committed: Annotated[int, Cell("Offset that the group committed at the source.")]
    committed: Annotated[Offset | None, Cell("Offset that is committed at the target: another number, as a rule.")]
    end: Annotated[Offset | None, Cell("Offset that the mirror's next record will get.")]
    source_lag: Annotated[int | None, Cell("Records that the group has not read at the source.", unit="records")]
    lag: Annotated[int | None, Cell("Records that it would still read at the target.", unit="records")]
    again: Annotated[
        int | None,
        Cell(
            "Records it would read there that it has read here, if the mirror is up to date; unknown if either lag is.",
            unit="records",
        ),
    ]


VIEW = View(
    help="One row per group and partition of a topic that is meant to be mirrored.",
    row=MirroredGroup,
    leaves_out="groups that no pattern takes, and topics that are not meant to be mirrored",
    inputs={
        "source": Input("kafka_group_offset", columns=_ASKED, at="source"),
        "target": Input("kafka_group_offset", columns=_ASKED, at="target"),
    },
    parameters={"prefix": PREFIX, "topics": TOPICS, "exclude": EXCLUDE, "groups": GROUPS},
)


def compute(
    *,
    source: Fact,
    target: Fact,
    prefix: str | None = None,
    topics: list[str] | None = None,
    exclude: list[str] | None = None,
    groups: list[str] | None = None,
) -> Observed:
    """Pair the commits of two kafka_group_offset facts.

    A position that is not seen is absent only if all of the target's were seen; otherwise it is not known.
    """
    wanted = meant(topics, exclude)
    there = {(row["group"], row["topic"], row["partition"]): row for row in target.rows()}
    rows: list[MirroredGroup] = []
    for row in source.rows():
        if not wanted(row["topic"]) or not any(fnmatchcase(row["group"], pattern) for pattern in groups or []):
            continue
        name = (prefix or "") + row["topic"]
        found = there.get((row["group"], name, row["partition"]))
        present = target.presence(found=found)
        lag = found["lag"] if found else None
        rows.append(
            MirroredGroup(
                group=row["group"],
                topic=row["topic"],
                partition=row["partition"],
                mirror=name,
                present=present,
                state=found["state"] if found else None,
                source_committed=row["committed"],
                committed=found["committed"] if found else None,
                end=found["end"] if found else None,
                source_lag=row["lag"],
                lag=lag,
                again=None if lag is None or row["lag"] is None else max(0, lag - row["lag"]),
            )
        )
    return Observed(rows=rows)
