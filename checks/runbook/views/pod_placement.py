"""Where the pods of each role stand: on how many nodes and zones, and how unevenly."""

from collections import Counter
from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Gap, Observed
from runbook.engine.view import View

VIEW = View(
    help="One row per role that has pods: broker, controller, zookeeper.",
    columns=(
        Column("role", "string", "broker, controller or zookeeper.", key=True),
        Column("pods", "int", "Pods of the role.", unit="pods"),
        Column("ready", "int", "Those that are ready.", unit="pods"),
        Column("nodes", "list[string]", "Nodes they are on.", entity="node"),
        Column("crowded", "list[string]", "Nodes with more than one of them.", entity="node"),
        Column("unplaced", "list[string]", "Pods that are on no node.", entity="pod"),
        Column("zones", "list[string]", "Zones they are in.", entity="rack"),
        Column("largest_zone", "int", "Most of them in one zone.", unit="pods"),
        Column("smallest_zone", "int", "Fewest of them in one of the zones they are in.", unit="pods"),
        Column("zoneless", "list[string]", "Nodes among theirs that name no zone.", entity="node"),
        Column("shared", "list[string]", "Nodes that hold pods of another role as well.", entity="node"),
        Column("combined", "list[string]", "Pods that have another role as well.", entity="pod"),
    ),
    of=(("pod", "roles", "node", "ready"), ("node", "zone")),
    needs=(("roles", "node", "ready"), ("zone",)),
    version=2,
)

_ROLES = ("broker", "controller", "zookeeper")


def compute(pod: Fact, node: Fact, /) -> Observed:
    """Work it out from kubernetes_pod and kubernetes_node; a pod on a node that was not seen is a gap."""
    zones = dict(zip(node.columns["node"], node.columns["zone"], strict=True))
    names = ("pod", "roles", "node", "ready")
    pods = [one for one in zip(*(pod.columns[name] for name in names), strict=True) if one[1]]
    unseen = sorted({place for _, _, place, _ in pods if place and place not in zones})
    gaps = [Gap(f"node {place}, which holds pods, was not seen", {"node": place}) for place in unseen]
    rows = []
    for role in _ROLES:
        ours = [one for one in pods if role in one[1]]
        others = {place for name, roles, place, _ in pods if role not in roles and place}
        if ours:
            rows.append(_row(role, ours, others, zones))
    return Observed(rows=rows, gaps=gaps)


def _row(role: str, pods: list[tuple[Any, ...]], others: set[str], zones: dict[str, str]) -> tuple[Any, ...]:
    on = Counter(place for _, _, place, _ in pods if place)
    within: Counter[str] = Counter()
    for place, count in on.items():
        if zone := zones.get(place):
            within[zone] += count
    return (
        role,
        len(pods),
        sum(bool(ready) for _, _, _, ready in pods),
        sorted(on),
        sorted(place for place, count in on.items() if count > 1),
        sorted(name for name, _, place, _ in pods if not place),
        *(_spread(within) if set(on) <= set(zones) else (None, None, None)),
        sorted(place for place in on if zones.get(place) == ""),
        sorted(set(on) & others),
        sorted(name for name, roles, _, _ in pods if len(roles) > 1),
    )


def _spread(within: Counter[str]) -> tuple[list[str], int, int]:
    """Give the zones, and most and fewest of the pods in one of them."""
    return sorted(within), max(within.values(), default=0), min(within.values(), default=0)
