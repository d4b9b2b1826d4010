"""Pods that nobody keeps are gone: nothing counts or selects them any more."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation, changed
from runbook.recoveries._elsewhere import all_but, chosen
from runbook.recoveries.pod_is_ready import uncounted


def _pod(fact: Fact, situation: Situation) -> Fact:
    stays = chosen(fact, ["pod"], lambda pod: pod not in situation.given["pods"])
    columns = {
        name: [cell for cell, kept in zip(cells, stays, strict=True) if kept] for name, cells in fact.columns.items()
    }
    return changed(fact, columns, fact.gaps)


def _selected(*columns: str) -> Change:
    """They are among no row's pods; what was counted of them besides was never seen."""

    def change(fact: Fact, situation: Situation) -> Fact:
        gone = {*situation.given["pods"]}
        left = [[pod for pod in pods if pod not in gone] for pods in fact.columns["pods"]]
        return changed(uncounted(*columns)(fact, situation), {"pods": left}, fact.gaps)

    return change


def _service(fact: Fact, situation: Situation) -> Fact:
    """One that was not ready was no endpoint: what leads to the others stays."""
    return changed(fact, {"pods": _selected()(fact, situation).columns["pods"]}, fact.gaps)


_SETS: dict[str, Change] = {
    "kubernetes_pod": _pod,
    "kubernetes_service": _service,
    "kubernetes_disruption_budget": _selected("expected", "desired_healthy", "healthy", "allowed"),
}

RECOVERY = Recovery(
    help="Pods that nobody keeps, and that are not ready, are gone.",
    takes=("pods",),
    sets=_SETS,
    leaves=all_but(_SETS),
    entity="pod",
    of="pods",
    sources=("Kubernetes documentation: selectors of Services and budgets match pods that exist",),
)
