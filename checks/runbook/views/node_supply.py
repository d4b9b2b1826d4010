"""How many nodes there are of which use, and how many of them can be used."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class NodeSupply(Row):
    """The nodes of the cluster."""

    cluster: Annotated[str, Cell("Always `nodes`: there is one row.", key=True)]
    nodes: Annotated[int, Cell("All nodes.", unit="nodes")]
    workers: Annotated[int, Cell("Nodes not of the control plane that are ready and take pods.", unit="nodes")]
    control_plane: Annotated[int, Cell("Nodes of the control plane; 0 where a provider hides them.", unit="nodes")]
    control_plane_ready: Annotated[int, Cell("Those of them that are ready.", unit="nodes")]
    dedicated: Annotated[int, Cell("Usable workers that a taint keeps for some pods only.", unit="nodes")]
    zones: Annotated[list[str], Cell("Zones of the usable workers.", entity="rack")]
    providers: Annotated[
        list[str], Cell("Who gave nodes, out of their provider ids; those of nodes without one left out.")
    ]


_COUNTED = ("zone", "ready", "schedulable", "control_plane", "dedicated", "provider")

VIEW = View(
    help="One row: the nodes of the cluster, counted.",
    row=NodeSupply,
    inputs={
        "node": Input("kubernetes_node", columns=("node", *_COUNTED), needs=_COUNTED),
    },
    version=3,
)


def compute(*, node: Fact) -> Observed:
    """Count the rows of kubernetes_node; of nodes that were not all seen there is no count."""
    if not node.complete:
        return Observed()
    rows = list(node.rows(*_COUNTED))
    governing = [row for row in rows if row["control_plane"]]
    usable = [row for row in rows if row["ready"] and row["schedulable"] and not row["control_plane"]]
    return Observed(
        rows=[
            NodeSupply(
                cluster="nodes",
                nodes=len(rows),
                workers=len(usable),
                control_plane=len(governing),
                control_plane_ready=sum(bool(row["ready"]) for row in governing),
                dedicated=sum(bool(row["dedicated"]) for row in usable),
                zones=sorted({row["zone"] for row in usable if row["zone"]}),
                providers=sorted({row["provider"] for row in rows if row["provider"]}),
            )
        ]
    )
