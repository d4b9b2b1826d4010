"""Where a plan puts a group, as the dry run of a reset tells it, beside where the group stands."""

from collections.abc import Sequence
from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Offset, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class PlannedOffset(Row):
    """A line of the plan."""

    line: Annotated[str, Cell("The line, as it was given.", key=True)]
    topic: Annotated[str, Cell("Topic; the whole line where it is no plan's.", entity="topic")]
    partition: Annotated[PartitionNumber | None, Cell("Number of the partition; unknown where the line is no plan's.")]
    planned: Annotated[Offset | None, Cell("Offset that the plan puts the group at.")]
    committed: Annotated[
        Offset | None, Cell("Offset that the group has committed there; -1 for none, unknown if it may be hidden.")
    ]


VIEW = View(
    help="One row per line of a plan for a group, as in orders:0:120, with what the group has committed there.",
    row=PlannedOffset,
    inputs={
        "offset": Input("kafka_group_offset", columns=("group", "topic", "partition", "committed")),
    },
    parameters={
        "group": Parameter(type="string", default="", help="id of the group"),
        "plan": Parameter(type="list[string]", help="its lines, as TOPIC:PARTITION:OFFSET"),
    },
)


def compute(*, offset: Fact, group: str = "", plan: Sequence[str] | None = None) -> Observed:
    """Look each line up in kafka_group_offset; empty ones, with which such files end, are none.

    Of a group for which nobody told a plan there is one row, of which nothing is known: it must open no gate.
    """
    names = ("group", "topic", "partition", "committed")
    there = {(row["topic"], row["partition"]): row["committed"] for row in offset.rows(*names) if row["group"] == group}
    missing = Offset(-1) if offset.complete else None
    rows = []
    for line in filter(None, dict.fromkeys(entry.strip() for entry in plan or ())):
        topic, partition, planned = _read(line)
        committed = None if partition is None else there.get((topic, partition), missing)
        rows.append(PlannedOffset(line=line, topic=topic, partition=partition, planned=planned, committed=committed))
    if group and not rows:
        rows.append(PlannedOffset(line="", topic="", partition=None, planned=None, committed=None))
    return Observed(rows=rows)


def _read(line: str) -> tuple[str, PartitionNumber | None, Offset | None]:
    """The parts of a line; of one that has others, the whole as the topic, and unknown numbers."""
    topic, _, rest = line.partition(":")
    partition, _, planned = rest.partition(":")
    if topic and partition.isascii() and partition.isdigit() and planned.isascii() and planned.isdigit():
        return topic, PartitionNumber(int(partition)), Offset(int(planned))
    return line, None, None
