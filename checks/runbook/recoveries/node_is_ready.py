"""Nodes report again and are well; pods on them that wait for nothing are ready."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation, changed
from runbook.recoveries._elsewhere import all_but, chosen, put

_FAULTS = "node.kubernetes.io/"


def _node(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["node"], lambda node: node in situation.given["nodes"])
    taints = [
        [taint for taint in cell if not taint.startswith(_FAULTS)] if of_mine else cell
        for of_mine, cell in zip(mine, fact.columns["taints"], strict=True)
    ]
    return changed(put(fact, mine, ready=True, pressure=[]), {"taints": taints}, fact.gaps)


def _pod(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(
        fact,
        ["node", "phase", "waiting"],
        lambda node, phase, waiting: node in situation.given["nodes"] and phase == "Running" and not waiting,
    )
    return put(fact, mine, ready=True)


def _unknown(*columns: str) -> Change:
    return lambda fact, _: changed(fact, {name: [None] * len(fact) for name in columns}, fact.gaps)


_SETS: dict[str, Change] = {
    "kubernetes_node": _node,
    "kubernetes_pod": _pod,
    "kubernetes_workload": _unknown("ready"),
    "kubernetes_service": _unknown("endpoints", "ready", "zones"),
    "kubernetes_disruption_budget": _unknown("healthy", "allowed"),
}

RECOVERY = Recovery(
    help="Nodes report again and are well.",
    takes=("nodes",),
    sets=_SETS,
    leaves=all_but(_SETS),
    entity="node",
    of="nodes",
    sources=("Kubernetes documentation: node conditions, and the taints that the node controller adds for them",),
)
