"""Node pools of Strimzi beside the pods they have."""

from typing import Annotated, Final

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Minutes
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class StrimziPoolSize(Row):
    """A node pool, counted."""

    pool: Annotated[str, Cell("The node pool.", key=True)]
    namespace: Annotated[str, Cell("Its namespace.", key=True)]
    kafka: Annotated[str, Cell("The Kafka resource it belongs to.")]
    asked: Annotated[int, Cell("Nodes that the pool asks for.", unit="pods")]
    pods: Annotated[int, Cell("Pods that its pod set lists and that are there.", unit="pods")]
    changed: Annotated[
        Minutes | None, Cell("Since the pool was made, or last described anew where that is reported.", why="why")
    ]
    why: Annotated[str, Cell("Why that is not known; empty where it is.")]
    left_over: Annotated[list[str], Cell("Pods of it that no pod set lists.", entity="pod")]


_KEPT_BY: Final = ("namespace", "kafka", "pool")
"""What a pod and its pool have in common, and no other pool."""
_POOL: Final = (*_KEPT_BY, "replicas", "roles")
_STATUS: Final = ("namespace", "kind", "resource", "age")
_NODE: Final = (*_KEPT_BY, "pod", "wanted")

VIEW = View(
    help="One row per node pool: how many nodes it asks for, and how many it has.",
    row=StrimziPoolSize,
    inputs={
        "pool": Input("node_declaration", columns=_POOL, needs=_POOL),
        "status": Input("strimzi_status", columns=_STATUS, needs=_STATUS),
        "node": Input("strimzi_node", columns=_NODE, needs=_NODE),
    },
)


def compute(*, pool: Fact, status: Fact, node: Fact) -> Observed:
    """Count the pods of each pool; of pods that were not all seen there is no count."""
    if not node.complete:
        return Observed()
    ages = {
        (row["namespace"], row["resource"]): row["age"]
        for row in status.rows(*_STATUS)
        if row["kind"] == "KafkaNodePool"
    }
    rows = []
    for declared in pool.rows(*_POOL):
        if "zookeeper" in declared["roles"]:  # whose pods are no nodes of Kafka
            continue
        changed = ages.get((declared["namespace"], declared["pool"]))
        mine = [row for row in node.rows(*_NODE) if all(row[name] == declared[name] for name in _KEPT_BY)]
        rows.append(
            StrimziPoolSize(
                pool=declared["pool"],
                namespace=declared["namespace"],
                kafka=declared["kafka"],
                asked=declared["replicas"],
                pods=sum(bool(row["wanted"]) for row in mine),
                changed=changed,
                why="" if changed is not None else "when it was described is not reported",
                left_over=sorted(row["pod"] for row in mine if not row["wanted"]),
            )
        )
    return Observed(rows=rows)
