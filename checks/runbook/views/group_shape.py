"""How groups are made up, of all or of those that were declared to be static, as parallel as can be, or one active."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class GroupShape(Row):
    """A group that was asked for."""

    group: Annotated[str, Cell("Group id.", key=True, entity="group")]
    members: Annotated[int | None, Cell("Members; 0 of a group that has none, or is not there.", unit="members")]
    working: Annotated[int | None, Cell("Members that have a partition.", unit="members")]
    instances: Annotated[int | None, Cell("Different group.instance.ids that members have.", unit="members")]
    fewest: Annotated[int | None, Cell("Partitions of the member that has the fewest.", unit="partitions")]
    most: Annotated[int | None, Cell("Partitions of the member that has the most.", unit="partitions")]
    one_of_each: Annotated[
        bool | None,
        Cell("Whether one member has a partition of every topic, and each has one of each of its topics."),
    ]


VIEW = View(
    help="One row per group that was asked for, seen or not; without, per group that has members.",
    row=GroupShape,
    leaves_out="groups that were not asked for, where some were",
    inputs={
        "member": Input("kafka_group_member", columns=("group", "member", "instance", "partitions", "topics")),
    },
    parameters={"groups": Parameter(type="list[string]", help="group ids, as in [billing, shop]; all without")},
)


def compute(*, member: Fact, groups: Sequence[str] | None = None) -> Observed:
    """Work it out from kafka_group_member; of a group that may have hidden members, nothing is known."""
    rows = list(member.rows())
    wanted = [row["group"] for row in rows] if groups is None else groups
    there: dict[str, list[Mapping[str, Any]]] = {name: [] for name in wanted}
    for row in rows:
        if row["group"] in there:
            there[row["group"]].append(row)
    unknown = {gap.keys.get("group") for gap in member.gaps}
    return Observed(rows=[_row(name, rows, known=not unknown & {name, None}) for name, rows in there.items()])


def _row(name: str, members: Sequence[Mapping[str, Any]], *, known: bool) -> GroupShape:
    counts = [member["partitions"] for member in members]
    ids = [member["instance"] for member in members]
    counted = known and None not in counts
    return GroupShape(
        group=name,
        members=len(members) if known else None,
        working=sum(count > 0 for count in counts) if counted else None,
        instances=len({identifier for identifier in ids if identifier}) if known and None not in ids else None,
        fewest=min(counts, default=0) if counted else None,
        most=max(counts, default=0) if counted else None,
        one_of_each=_one_of_each(members) if counted else None,
    )


def _one_of_each(members: Sequence[Mapping[str, Any]]) -> bool | None:
    """Whether they hold what an assignor gives that shares out each topic for itself, of topics with few partitions."""
    held = [member["topics"] for member in members]
    if None in held:
        return None
    every = {topic for topics in held for topic in topics}
    alone = all(member["partitions"] == len(member["topics"]) for member in members)
    return alone and any({*topics} == every for topics in held)
