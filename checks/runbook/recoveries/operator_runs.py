"""Operators of Strimzi that had no pod run; what they then make of the resources was never seen."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation, changed
from runbook.recoveries._elsewhere import all_but


def _component(fact: Fact, situation: Situation) -> Fact:
    """As many pods are ready as there are to be, and one at least."""
    columns = {name: list(fact.columns[name]) for name in ("replicas", "ready")}
    for row, (deployment, replicas) in enumerate(zip(fact.columns["deployment"], columns["replicas"], strict=True)):
        if deployment in situation.given["deployments"]:
            columns["replicas"][row] = columns["ready"][row] = None if replicas is None else max(1, replicas)
    return changed(fact, columns, fact.gaps)


_SETS: dict[str, Change] = {"strimzi_component": _component}
_ACTED_ON = ("kafka_topic", "kafka_acl", "kafka_quota", "kafka_scram_user", "kubernetes_custom_resource")
_ROLLED = ("kubernetes_pod", "kubernetes_workload", "strimzi_node", "strimzi_status")

RECOVERY = Recovery(
    help="Operators of Strimzi that had no pod run.",
    takes=("deployments",),
    sets=_SETS,
    leaves=all_but({*_SETS, *_ACTED_ON, *_ROLLED}),
    entity="",
    of="",
    sources=("Strimzi documentation: operators watch resources, and act on what they find when they start",),
)
