"""Whether a record is missing on the target that is older than what is promised."""

import math
from datetime import datetime, timedelta
from typing import Annotated, Any, Final

from runbook.model import moment
from runbook.model.fact import Fact, Gap, Observed
from runbook.model.quantity import Moment, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_AGE = ("source_records", "source_newest", "mirror", "present", "end", "newest", "behind", "promised")
_AGED = ("topic", "partition", "seconds", "offset", "written")

MARKER: Final = timedelta(seconds=5)
"""So near behind the mirror's newest record nothing is taken for missing: what ends a transaction counts as a record
of the source, dated when it ended, and is never copied. Our judgement: most transactions take less."""


class MirrorOverdue(Row):
    """A partition of the source's topics that are meant to be mirrored."""

    topic: Annotated[str, Cell("Topic of the source.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    mirror: Annotated[str, Cell("The name its mirror has or should have.", entity="topic")]
    present: Annotated[bool | None, Cell("Whether the target has it.")]
    newest: Annotated[Moment | None, Cell("Time of the mirror's newest record, by its own timestamp.")]
    promised: Annotated[int | None, Cell("Longest that is promised for the topic; unknown if nothing is.", unit="s")]
    missing: Annotated[
        Moment | None,
        Cell(
            "Time of a record that is missing and was older than promised when the target was asked; unknown if none "
            "is known."
        ),
    ]
    age: Annotated[
        int | None, Cell("How old that record was then; a second that has begun counts.", unit="s", moves=True)
    ]
    overdue: Annotated[
        bool | None,
        Cell(
            "Whether there is such a record; unknown where times are, and where nothing is promised.",
            untold="times of records are not known, or the mirror is not there and what it lacks is young",
        ),
    ]


_NO_PROMISE = "no RPO is promised for any of its topics: promises: of the mirror in the inventory"
VIEW = View(
    help="One row per partition of the source's topics that are meant to be mirrored: whether a record older than "
    "promised is missing.",
    row=MirrorOverdue,
    inputs={
        "age": Input("mirror_age", columns=("topic", "partition", *_AGE)),
        "target": Input("kafka_partition_offset", at="target"),
        "aged": Input("kafka_record_of_age", columns=_AGED, at="source", tells=True),
    },
    version=2,
)


def compute(*, age: Fact, target: Fact, aged: Fact) -> Observed:
    """Pair mirror_age with the target's kafka_partition_offset, for its time, and the source's kafka_record_of_age.

    A mirror takes records in their order. So one that lacks a record that was older than promised when the mirror was
    looked at breaks the promise; one that lacks younger ones does not, however long nothing was written before them:
    how far both newest records lie apart (`behind`) tells nothing by itself where it is more than promised.

    Two records can prove it: the source's newest, and its newest of the age that is promised. The latter is found to
    within a second or a twentieth of its age; a mirror whose newest record lies in between, and one that lacks only
    what is within `MARKER` of it, is told when the next record has that age. `aged` is needed only of a partition that
    is behind by more than promised and whose newest record is younger: else what it lacks is no gap. A mirror that was
    never written to lacks all; where no record of the source is as old as promised, that breaks nothing yet.
    """
    found = {(row["topic"], row["partition"]): row for row in aged.rows(*_AGED)}
    looked = moment.read(target.collected_at) - timedelta(milliseconds=target.took_ms) if target.collected_at else None
    rows: list[MirrorOverdue] = []
    gaps: list[Gap] = []
    for row in age.rows():
        of_age = found.get((row["topic"], row["partition"]))
        if of_age is not None and (looked is None or of_age["seconds"] != row["promised"]):
            of_age = None
        missing = _missing(row, of_age, looked)
        overdue = _overdue(row, of_age, missing)
        if overdue is None and of_age is None and row["behind"] is not None and row["promised"] is not None:
            gaps = aged.gaps
        rows.append(
            MirrorOverdue(
                topic=row["topic"],
                partition=row["partition"],
                mirror=row["mirror"],
                present=row["present"],
                newest=row["newest"],
                promised=row["promised"],
                missing=missing,
                age=math.ceil((looked - moment.read(missing)).total_seconds()) if missing and looked else None,
                overdue=overdue,
            )
        )
    if rows and all(row.promised is None for row in rows):
        gaps = [Gap(_NO_PROMISE)]
    return Observed(rows=rows, gaps=gaps)


def _missing(row: dict[str, Any], of_age: dict[str, Any] | None, looked: datetime | None) -> Moment | None:
    """The oldest record that is known to be missing and to break the promise."""
    promised, behind = row["promised"], row["behind"]
    if looked is None or promised is None:
        return None
    lacks_all = row["present"] is False or _never_written(row)
    if not row["source_records"] if lacks_all else behind is None or behind <= promised:
        return None
    promise = timedelta(seconds=promised)
    # The mirror has all up to here. Of one that is not there, or was never written to, nothing.
    there = None if lacks_all else moment.read(row["newest"]) + min(MARKER, promise)
    for written in (of_age["written"] if of_age else None, row["source_newest"]):
        if written is not None:
            time = moment.read(written)
            if looked - time > promise and (there is None or time > there):
                return Moment(written)
    return None


def _never_written(row: dict[str, Any]) -> bool:
    return row["present"] is True and row["end"] == 0


def _overdue(row: dict[str, Any], of_age: dict[str, Any] | None, missing: Moment | None) -> bool | None:
    if missing is not None:
        return True
    if row["promised"] is None:
        return None
    if _never_written(row) and of_age is not None and of_age["offset"] == -1:
        return False
    if row["behind"] is None:
        return None
    if row["behind"] <= row["promised"]:
        return False
    return None if of_age is None or of_age["offset"] is None else False
