"""Where the pods of each role stand: on how many nodes and zones, and how unevenly."""

from collections import Counter
from typing import Annotated, NamedTuple

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._one_cluster import several_clusters


class PodPlacement(Row):
    """A role that has pods."""

    role: Annotated[str, Cell("broker, controller or zookeeper.", key=True)]
    pods: Annotated[int, Cell("Pods of the role.", unit="pods")]
    ready: Annotated[int, Cell("Those that are ready.", unit="pods")]
    nodes: Annotated[list[str], Cell("Nodes they are on.", entity="node")]
    open: Annotated[list[str] | None, Cell("Those of them that no taint keeps for some pods only.", entity="node")]
    crowded: Annotated[list[str], Cell("Nodes with more than one of them.", entity="node")]
    unplaced: Annotated[list[str], Cell("Pods that are on no node.", entity="pod")]
    zones: Annotated[list[str] | None, Cell("Zones they are in.", entity="rack")]
    more_zones: Annotated[
        bool | None, Cell("Whether they are in other zones, too; unknown where a node names none.", why="zoneless_why")
    ]
    largest_zone: Annotated[
        int | None, Cell("Most of them in one zone; unknown as `more_zones` is.", unit="pods", why="zoneless_why")
    ]
    smallest_zone: Annotated[
        int | None,
        Cell("Fewest in one of the zones they are in; unknown as `more_zones` is.", unit="pods", why="zoneless_why"),
    ]
    zoneless: Annotated[list[str], Cell("Nodes among theirs that name no zone.", entity="node")]
    zoneless_why: Annotated[str, Cell("Why not all of their zones are known; empty where they are.")]
    shared: Annotated[list[str], Cell("Nodes that hold pods of another role as well.", entity="node")]
    combined: Annotated[list[str], Cell("Pods that have another role as well.", entity="pod")]


VIEW = View(
    help="One row per role that has pods: broker, controller, zookeeper.",
    row=PodPlacement,
    inputs={
        "pod": Input(
            "kubernetes_pod", columns=("pod", "roles", "cluster", "node", "ready"), needs=("roles", "node", "ready")
        ),
        "node": Input("kubernetes_node", columns=("node", "zone", "dedicated"), needs=("zone", "dedicated")),
    },
    version=5,
)

_ROLES = ("broker", "controller", "zookeeper")


def compute(*, pod: Fact, node: Fact) -> Observed:
    """Work it out from kubernetes_pod and kubernetes_node; a pod on a node that was not seen is a gap.

    Pods of several clusters are not counted together: one of them has to be named.
    """
    if several := several_clusters(pod):
        return Observed(gaps=several)
    zones = dict(zip(node.columns["node"], node.columns["zone"], strict=True))
    kept = {row["node"] for row in node.rows("node", "dedicated") if row["dedicated"]}
    pods = [_Pod(row["pod"], row["roles"], row["node"], row["ready"]) for row in pod.rows() if row["roles"]]
    unseen = sorted({pod.node for pod in pods if pod.node and pod.node not in zones})
    gaps = [Gap(f"node {place}, which holds pods, was not seen", {"node": place}) for place in unseen]
    rows = []
    for role in _ROLES:
        ours = [pod for pod in pods if role in pod.roles]
        others = {pod.node for pod in pods if role not in pod.roles and pod.node}
        if ours:
            rows.append(_row(role, ours, others, zones, kept))
    return Observed(rows=rows, gaps=gaps)


class _Pod(NamedTuple):
    name: str
    roles: list[str]
    node: str
    ready: bool | None


def _row(role: str, pods: list[_Pod], others: set[str], zones: dict[str, str], kept: set[str]) -> PodPlacement:
    on = Counter(pod.node for pod in pods if pod.node)
    within: Counter[str] = Counter()
    for place, count in on.items():
        if zone := zones.get(place):
            within[zone] += count
    seen = set(on) <= set(zones)
    zoneless = sorted(place for place in on if zones.get(place) == "")
    known = seen and not zoneless
    return PodPlacement(
        role=role,
        pods=len(pods),
        ready=sum(bool(pod.ready) for pod in pods),
        nodes=sorted(on),
        open=sorted(set(on) - kept) if seen else None,
        crowded=sorted(place for place, count in on.items() if count > 1),
        unplaced=sorted(pod.name for pod in pods if not pod.node),
        zones=sorted(within) if seen else None,
        more_zones=False if known else None,
        largest_zone=max(within.values(), default=0) if known else None,
        smallest_zone=min(within.values(), default=0) if known else None,
        zoneless=zoneless,
        zoneless_why=_why(zoneless, seen=seen),
        shared=sorted(set(on) & others),
        combined=sorted(pod.name for pod in pods if len(pod.roles) > 1),
    )


def _why(zoneless: list[str], *, seen: bool) -> str:
    if not seen:
        return "a node that holds them was not seen"
    return f"no label topology.kubernetes.io/zone on {', '.join(zoneless)}" if zoneless else ""
