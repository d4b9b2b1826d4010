"""A node of the quorum that somebody named, there or not: gates ask for one that is to be given a vote."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import ControllerId, Milliseconds
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class NamedQuorumNode(Row):
    """The node."""

    node: Annotated[ControllerId, Cell("Node id.", key=True)]
    there: Annotated[
        bool | None, Cell("Whether the active controller knows it; unknown where some nodes are not seen.")
    ]
    voter: Annotated[bool | None, Cell("Whether it has a vote; false where it is not there.")]
    lag: Annotated[
        int | None, Cell("Records behind the active controller; unknown where it is not there.", unit="records")
    ]
    last_caught_up_ms: Annotated[
        Milliseconds | None, Cell("How long ago it had all records; unknown if never, and where it is not there.")
    ]


_NODE = ("node", "voter", "lag", "last_caught_up_ms")
VIEW = View(
    help="One row for the node of the quorum that is named, seen or not.",
    row=NamedQuorumNode,
    leaves_out="nodes that are not named",
    inputs={
        "quorum": Input("kafka_quorum", columns=_NODE),
    },
    parameters={"node": Parameter(type="int", default=-1, help="its id; -1, which no node has, where none was named")},
)


def compute(*, quorum: Fact, node: int = -1) -> Observed:
    """Find it in kafka_quorum."""
    for row in quorum.rows(*_NODE):
        if row["node"] == node:
            return Observed([NamedQuorumNode(there=True, **{name: row[name] for name in _NODE})])
    there = False if quorum.complete else None
    return Observed(
        [NamedQuorumNode(node=ControllerId(node), there=there, voter=there, lag=None, last_caught_up_ms=None)]
    )
