"""Node pools of Strimzi beside the pods they have."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class StrimziPoolSize(Row):
    """A node pool, counted."""

    pool: Annotated[str, Cell("The node pool.", key=True)]
    kafka: Annotated[str, Cell("The Kafka resource it belongs to.")]
    asked: Annotated[int, Cell("Nodes that the pool asks for.", unit="pods")]
    pods: Annotated[int, Cell("Pods that its pod set lists and that are there.", unit="pods")]
    left_over: Annotated[list[str], Cell("Pods of it that no pod set lists.", entity="pod")]


VIEW = View(
    help="One row per node pool: how many nodes it asks for, and how many it has.",
    row=StrimziPoolSize,
    inputs={
        "pool": Input("strimzi_node_pool", columns=("pool", "kafka", "replicas"), needs=("pool", "kafka", "replicas")),
        "node": Input(
            "strimzi_node", columns=("pod", "pool", "kafka", "wanted"), needs=("pod", "pool", "kafka", "wanted")
        ),
    },
)


def compute(*, pool: Fact, node: Fact) -> Observed:
    """Count the pods of each pool; of pods that were not all seen there is no count."""
    if not node.complete:
        return Observed()
    rows = []
    for declared in pool.rows("pool", "kafka", "replicas"):
        mine = [row for row in node.rows() if (row["kafka"], row["pool"]) == (declared["kafka"], declared["pool"])]
        rows.append(
            StrimziPoolSize(
                pool=declared["pool"],
                kafka=declared["kafka"],
                asked=declared["replicas"],
                pods=sum(bool(row["wanted"]) for row in mine),
                left_over=sorted(row["pod"] for row in mine if not row["wanted"]),
            )
        )
    return Observed(rows=rows)
