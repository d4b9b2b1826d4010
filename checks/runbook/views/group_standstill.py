"""Whether a group stands still in one partition of a topic or in all: one record, or what all have in common."""

from collections import defaultdict
from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Seconds
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class GroupStandstill(Row):
    """A group and a topic that a member of it reads."""

    group: Annotated[str, Cell("Group id.", key=True, entity="group")]
    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partitions: Annotated[int, Cell("Partitions of it that the group has or reads.", unit="partitions")]
    stuck: Annotated[int | None, Cell("Those in which it is stuck.", unit="partitions")]
    everywhere: Annotated[
        bool | None, Cell("Whether it is stuck in all of them, and there are several: then it is no single record.")
    ]
    owners: Annotated[list[str] | None, Cell("Members that hold those in which it is stuck: client id and host.")]
    behind_least: Annotated[Seconds | None, Cell("Age of the oldest record that it is stuck at, at least.")]


_UNTOLD = (None, "no commit seen", "stuck or held")
_PROGRESS = ("group", "topic", "partition", "progress", "owner", "behind_least")
VIEW = View(
    help="One row per group and topic of group_progress: in how many of its partitions the group is stuck.",
    row=GroupStandstill,
    inputs={
        "progress": Input("group_progress", columns=_PROGRESS),
    },
)


def compute(*, progress: Fact) -> Observed:
    """Count the rows of group_progress by group and topic; where one of them is not known, no number of them is."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in progress.rows(*_PROGRESS):
        found[row["group"], row["topic"]].append(row)
    return Observed(rows=[_row(group, topic, rows) for (group, topic), rows in found.items()])


def _row(group: str, topic: str, rows: list[dict[str, Any]]) -> GroupStandstill:
    stuck = [row for row in rows if row["progress"] == "stuck"]
    moving = any(row["progress"] not in ("stuck", *_UNTOLD) for row in rows)
    known = all(row["progress"] not in _UNTOLD for row in rows)
    owners = {row["owner"] for row in stuck}
    ages = [row["behind_least"] for row in stuck]
    return GroupStandstill(
        group=group,
        topic=topic,
        partitions=len(rows),
        stuck=len(stuck) if known else None,
        everywhere=False if moving or len(rows) == 1 else True if known else None,
        owners=sorted(owners) if known and None not in owners else None,
        behind_least=Seconds(max(ages)) if known and ages and None not in ages else None,
    )
