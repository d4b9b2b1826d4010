"""What a Kafka resource says is what its operator accepts, and the cluster is as it says."""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put


def _resource(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["kind", "resource"], lambda kind, name: kind == "Kafka" and name in situation.given["kafkas"])
    return put(fact, mine, ready=True, reason="")


def _status(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["kind", "resource"], lambda kind, name: kind == "Kafka" and name in situation.given["kafkas"])
    return put(fact, mine, ready=True, state="Ready", reason="")


_SETS: dict[str, Change] = {"kubernetes_custom_resource": _resource, "strimzi_status": _status}
_DESCRIBED = ("kubernetes_config_map", "strimzi_kafka", "strimzi_listener", "strimzi_node", "strimzi_node_pool")

RECOVERY = Recovery(
    help="What a Kafka resource says is what its operator accepts.",
    takes=("kafkas",),
    sets=_SETS,
    leaves=all_but({*_SETS, *_DESCRIBED}),
    entity="",
    of="",
    sources=("Strimzi documentation: conditions of custom resources",),
)
