"""One disruption budget is over Kafka's pods, and lets one of them go when all are well."""

from typing import Any

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._rows import all_but

_NAME = "kafka"


def _budget(fact: Fact, situation: Situation) -> Fact:
    """The budgets that were there become one; which other pods are healthy besides was never seen."""
    mine = [row for row in fact.rows() if row["budget"] in situation.given["budgets"]]
    pods = list(dict.fromkeys([*situation.given["bare"], *(pod for row in mine for pod in row["pods"])]))
    one: dict[str, Any] = dict.fromkeys(fact.columns) | {
        "budget": mine[0]["budget"] if mine else _NAME,
        "min_available": "",
        "max_unavailable": "1",
        "pods": pods,
        "foreign": list(dict.fromkeys(pod for row in mine for pod in row["foreign"])),
        "expected": len(pods),
        "desired_healthy": len(pods) - 1,
        "observed": True,
    }
    rows = [one, *(row for row in fact.rows() if row not in mine)]
    return changed(fact, {name: [row[name] for row in rows] for name in fact.columns}, fact.gaps)


_SETS = {"kubernetes_disruption_budget": _budget}

RECOVERY = Recovery(
    help="One disruption budget is over Kafka's pods, and lets one of them go.",
    takes=("budgets", "bare"),
    sets=_SETS,
    leaves=all_but(_SETS),
    entity="",
    of="",
    sources=("Kubernetes documentation: PodDisruptionBudget; Strimzi and Confluent set maxUnavailable: 1",),
)
