"""Whether members of a group have partitions twice: more between them than there are different ones."""

from collections import defaultdict
from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class GroupOverlap(Row):
    """A group that has members."""

    group: Annotated[str, Cell("Group id.", key=True, entity="group")]
    state: Annotated[str, Cell("State of the group: stable, empty, …")]
    type: Annotated[
        str | None,
        Cell(
            "classic, consumer, share; or streams, whose tasks count once for each topic, be there such a partition "
            "or not."
        ),
    ]
    shared: Annotated[str | None, Cell("Why members may have partitions in common; empty where they may not.")]
    members: Annotated[int, Cell("Members that are known.", unit="members")]
    assigned: Annotated[
        int | None, Cell("Partitions of all members together, each as often as it is had.", unit="partitions")
    ]
    partitions: Annotated[
        int | None,
        Cell(
            "Different partitions that have a member; unknown where one of their topics is not seen.",
            unit="partitions",
        ),
    ]


_SHARED = {
    "share": "members of share groups share partitions by design",
    "streams": "members of Streams groups have tasks, which are not counted as partitions",
}
_MEMBER = ("group", "partitions", "topics", "type", "state")
_LAG = ("group", "topic", "owner")
VIEW = View(
    help="One row per group of kafka_group_member, with what kafka_group_lag says of its partitions.",
    row=GroupOverlap,
    version=2,
    inputs={
        "member": Input("kafka_group_member", columns=_MEMBER),
        "lag": Input("kafka_group_lag", columns=_LAG),
    },
)


def compute(*, member: Fact, lag: Fact) -> Observed:
    """Count both; they are told by one answer of each coordinator, so that nothing moves in between."""
    owned: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in lag.rows(*_LAG):
        owned[row["group"]].append(row)
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in member.rows(*_MEMBER):
        groups[row["group"]].append(row)
    return Observed(rows=[_row(name, mine, owned[name]) for name, mine in groups.items()])


def _row(group: str, members: list[dict[str, Any]], owned: list[dict[str, Any]]) -> GroupOverlap:
    counts = [member["partitions"] for member in members]
    topics = [member["topics"] for member in members]
    seen = {row["topic"] for row in owned}
    known = None not in topics and {name for names in topics for name in names} <= seen
    owners = [row["owner"] for row in owned]
    return GroupOverlap(
        group=group,
        state=members[0]["state"],
        type=members[0]["type"],
        shared=None if members[0]["type"] is None else _SHARED.get(members[0]["type"], ""),
        members=len(members),
        assigned=None if None in counts else sum(counts),
        partitions=sum(owner != "" for owner in owners) if known and None not in owners else None,
    )
