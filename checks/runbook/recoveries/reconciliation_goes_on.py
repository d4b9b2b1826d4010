"""Kafka resources that were paused are acted on again; what their operator then makes of them was never seen."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put


def _resource(*columns: str) -> Change:
    """They are not paused; what the operator says of them then, in these columns, is not known."""

    def change(fact: Fact, situation: Situation) -> Fact:
        kafkas = situation.given["kafkas"]
        mine = chosen(fact, ["kind", "resource"], lambda kind, name: kind == "Kafka" and name in kafkas)
        return put(fact, mine, paused=False, **dict.fromkeys(columns))

    return change


_SETS: dict[str, Change] = {
    "kubernetes_custom_resource": _resource("ready", "reason", "observed"),
    "strimzi_status": _resource("ready", "reason", "observed", "state"),
}
_ROLLED = ("kubernetes_pod", "kubernetes_workload", "strimzi_component", "strimzi_node")

RECOVERY = Recovery(
    help="Kafka resources that were paused are acted on again.",
    takes=("kafkas",),
    sets=_SETS,
    leaves=all_but({*_SETS, *_ROLLED}),
    entity="",
    of="",
    sources=("Strimzi documentation: what was changed while a resource was paused is done when it is not any more",),
)
