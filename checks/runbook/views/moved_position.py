"""Whether a group that moves to another topic begins there with what it has not read in the one that it leaves."""

from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import PartitionNumber, Seconds
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_COLUMNS = ("group", "topic", "partition", "behind_least", "behind_most")


class MovedPosition(Row):
    """A partition that the group leaves."""

    topic: Annotated[str, Cell("Topic that it leaves.", key=True, entity="topic")]
    partition: Annotated[
        PartitionNumber | None, Cell("Number of the partition; unknown where it has committed to none.", key=True)
    ]
    unread_most: Annotated[
        Seconds | None, Cell("Age of the first record that it has not read there, at most; 0 where all is read.")
    ]
    begins_least: Annotated[
        Seconds | None,
        Cell(
            "Age of the oldest record that it is to read in the next topic, at least; 0 where it stands at the end of "
            "all partitions; unknown where it has no position there."
        ),
    ]


VIEW = View(
    help="One row per partition that a group leaves, with the ages of what it has not read there and begins with next.",
    row=MovedPosition,
    leaves_out="partitions of other groups and topics than those that are named",
    inputs={
        "lag": Input("kafka_group_lag", columns=_COLUMNS),
    },
    parameters={
        "group": Parameter(type="string", default="", help="id of the group"),
        "topic": Parameter(type="string", default="", help="the topic that it leaves"),
        "next_topic": Parameter(type="string", default="", help="the topic to which it moves"),
    },
)


def compute(*, lag: Fact, group: str = "", topic: str = "", next_topic: str = "") -> Observed:
    """Compare ages of kafka_group_lag, which are all of one moment.

    Of a group that has committed nothing in the topic it leaves there is one row, of which nothing is known: it must
    open no gate.
    """
    mine = [row for row in lag.rows(*_COLUMNS) if row["group"] == group]
    left = [row for row in mine if row["topic"] == topic]
    begins = _oldest([row["behind_least"] for row in mine if row["topic"] == next_topic])
    rows = [
        MovedPosition(topic=topic, partition=row["partition"], unread_most=row["behind_most"], begins_least=begins)
        for row in left
    ]
    if group and not rows:
        rows.append(MovedPosition(topic=topic, partition=None, unread_most=None, begins_least=begins))
    return Observed(rows=rows)


def _oldest(ages: list[Any]) -> Seconds | None:
    """The greatest of them; unknown where one is, or where there are none."""
    return None if not ages or None in ages else max(ages)
