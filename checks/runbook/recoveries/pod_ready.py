"""Pods that did not run, or were not ready, run and take traffic; what they count then was never seen."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation, changed
from runbook.recoveries._rows import all_but, chosen, put


def _pod(fact: Fact, situation: Situation) -> Fact:
    """kubernetes_pod with these ready; a pod that was made anew counts no restarts, one that was not counts on."""
    mine = chosen(fact, ["pod"], lambda pod: pod in situation.given["pods"])
    counts = dict.fromkeys(
        ("node", "restarts", "last_exit", "last_exit_code", "minutes_since_exit", "minutes_since_restart")
    )
    return put(fact, mine, phase="Running", ready=True, waiting="", **counts)


def _workload(fact: Fact, situation: Situation) -> Fact:
    """What keeps them has as many more that are ready."""
    more, owners = len(situation.given["pods"]), situation.given["owners"]
    rows = fact.rows("workload", "ready", "replicas")
    ready = [min(row["replicas"], row["ready"] + more) if row["workload"] in owners else row["ready"] for row in rows]
    return changed(fact, {"ready": ready}, fact.gaps)


def _uncounted(*columns: str) -> Change:
    """A change by which these columns are unknown in rows that count one of the pods."""

    def change(fact: Fact, situation: Situation) -> Fact:
        mine = chosen(fact, ["pods"], lambda pods: not {*situation.given["pods"]}.isdisjoint(pods))
        return put(fact, mine, **dict.fromkeys(columns))

    return change


_SETS: dict[str, Change] = {
    "kubernetes_pod": _pod,
    "kubernetes_workload": _workload,
    "kubernetes_service": _uncounted("endpoints", "ready", "zones"),
    "kubernetes_disruption_budget": _uncounted("healthy", "allowed"),
}

RECOVERY = Recovery(
    help="Pods that did not run, or were not ready, run and take traffic.",
    takes=("pods", "owners"),
    sets=_SETS,
    leaves=all_but(_SETS),
    entity="pod",
    of="pods",
    sources=("Kubernetes documentation: pod conditions; readyReplicas of a StatefulSet; ready endpoints of a Service",),
)
