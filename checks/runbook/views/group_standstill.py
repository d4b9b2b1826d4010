"""Whether a group stands still in one partition of a topic or in several: one record, or what they have in common."""

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
    stuck: Annotated[
        int | None,
        Cell(
            "Those in which it is stuck; of several, at least so many, where others are not known.", unit="partitions"
        ),
    ]
    several: Annotated[bool | None, Cell("Whether it is stuck in more than one of them: then it is no single record.")]
    codec: Annotated[str | None, Cell("compression.type of the topic; producer: brokers store what producers send.")]
    owners: Annotated[list[str] | None, Cell("Members that hold those in which it is stuck: client id and host.")]
    behind_least: Annotated[Seconds | None, Cell("Age of the oldest record that it is stuck at, at least.")]


_UNTOLD = (None, "no commit seen", "stuck or held")
_PROGRESS = ("group", "topic", "partition", "progress", "owner", "behind_least")
VIEW = View(
    help="One row per group and topic of group_progress: in how many of its partitions the group is stuck.",
    row=GroupStandstill,
    version=3,
    inputs={
        "progress": Input("group_progress", columns=_PROGRESS),
        "topic": Input("kafka_topic", columns=("name", "compression_type")),
    },
)


def compute(*, progress: Fact, topic: Fact) -> Observed:
    """Count the rows of group_progress by group and topic, and name the codec of the topic."""
    codecs = {row["name"]: row["compression_type"] for row in topic.rows("name", "compression_type")}
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in progress.rows(*_PROGRESS):
        found[row["group"], row["topic"]].append(row)
    return Observed(rows=[_row(group, name, rows, codecs.get(name)) for (group, name), rows in found.items()])


def _row(group: str, topic: str, rows: list[dict[str, Any]], codec: str | None) -> GroupStandstill:
    stuck = [row for row in rows if row["progress"] == "stuck"]
    several = len(stuck) > 1
    untold = sum(row["progress"] in _UNTOLD for row in rows)
    known = several or not untold
    owners = {row["owner"] for row in stuck}
    ages = [row["behind_least"] for row in stuck]
    return GroupStandstill(
        group=group,
        topic=topic,
        partitions=len(rows),
        stuck=len(stuck) if known else None,
        several=True if several else False if len(stuck) + untold <= 1 else None,
        codec=codec,
        owners=sorted(owners) if known and None not in owners else None,
        behind_least=Seconds(max(ages)) if known and ages and None not in ages else None,
    )
