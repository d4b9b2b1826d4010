"""A group that somebody named, there or not: gates ask for one, and a name that is mistyped must open none."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class NamedGroup(Row):
    """The group."""

    group: Annotated[str, Cell("Its id.", key=True, entity="group")]
    there: Annotated[
        bool | None, Cell("Whether there is one of this name; unknown where none is seen and some may be.")
    ]
    state: Annotated[str | None, Cell("stable, empty, …, as in kafka_group; empty where there is none.")]
    members: Annotated[int | None, Cell("Members; 0 where there is none.", unit="members")]
    assignor: Annotated[str | None, Cell("Partition assignor; empty while the group has none.")]


_GROUP = ("group", "state", "members", "assignor")
VIEW = View(
    help="One row for the group that is named, seen or not.",
    row=NamedGroup,
    leaves_out="groups that are not named",
    inputs={
        "groups": Input("kafka_group", columns=_GROUP),
    },
    parameters={"group": Parameter(type="string", default="", help="its id, as in billing; none without")},
)


def compute(*, groups: Fact, group: str = "") -> Observed:
    """Find it in kafka_group."""
    for row in groups.rows(*_GROUP):
        if row["group"] == group:
            return Observed([NamedGroup(there=True, **{name: row[name] for name in _GROUP})])
    if not group:
        return Observed([])
    if not groups.complete:
        return Observed([NamedGroup(group=group, there=None, state=None, members=None, assignor=None)])
    return Observed([NamedGroup(group=group, there=False, state="", members=0, assignor="")])
