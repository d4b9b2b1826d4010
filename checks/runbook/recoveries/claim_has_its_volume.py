"""Claims that had lost their volumes are bound to one again; whose data it holds was never seen."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put


def _claim(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["claim"], lambda claim: claim in situation.given["claims"])
    return put(fact, mine, phase="Bound", volume=None, capacity=None)


_SETS: dict[str, Change] = {"kubernetes_claim": _claim}

RECOVERY = Recovery(
    help="Claims that had lost their volumes are bound to one again.",
    takes=("claims",),
    sets=_SETS,
    leaves=all_but({*_SETS, "kubernetes_volume", "kubernetes_pod", "kubernetes_workload", "kubernetes_service"}),
    entity="",
    of="",
    sources=("Kubernetes documentation: phases of a PersistentVolumeClaim",),
)
