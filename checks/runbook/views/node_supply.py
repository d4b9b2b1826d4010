"""How many nodes there are of which use, and how many of them can be used."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

VIEW = View(
    help="One row: the nodes of the cluster, counted.",
    columns=(
        Column("cluster", "string", "Always `nodes`: there is one row.", key=True),
        Column("nodes", "int", "All nodes.", unit="nodes"),
        Column("workers", "int", "Nodes not of the control plane that are ready and take pods.", unit="nodes"),
        Column("control_plane", "int", "Nodes of the control plane; 0 where a provider hides them.", unit="nodes"),
        Column("control_plane_ready", "int", "Those of them that are ready.", unit="nodes"),
        Column("dedicated", "int", "Usable workers that a taint keeps for some pods only.", unit="nodes"),
        Column("zones", "list[string]", "Zones of the usable workers.", entity="rack"),
    ),
    of=(("node", "zone", "ready", "schedulable", "control_plane", "dedicated"),),
    needs=(("zone", "ready", "schedulable", "control_plane", "dedicated"),),
    version=2,
)


def compute(node: Fact, /) -> Observed:
    """Count the rows of kubernetes_node; of nodes that were not all seen there is no count."""
    if not node.complete:
        return Observed()
    names = ("zone", "ready", "schedulable", "control_plane", "dedicated")
    rows = list(zip(*(node.columns[name] for name in names), strict=True))
    governing = [row for row in rows if row[3]]
    usable = [row for row in rows if row[1] and row[2] and not row[3]]
    return Observed(
        rows=[
            (
                "nodes",
                len(rows),
                len(usable),
                len(governing),
                sum(bool(row[1]) for row in governing),
                sum(bool(row[4]) for row in usable),
                sorted({row[0] for row in usable if row[0]}),
            )
        ]
    )
