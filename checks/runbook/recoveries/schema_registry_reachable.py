"""Instances of the Schema Registry that were silent answer; what they would say was never seen."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed, reveal
from runbook.recoveries._rows import all_but, chosen, put

_ENTITY = "endpoint"


def _registry(fact: Fact, situation: Situation) -> Fact:
    back = situation.given["instances"]
    mine = chosen(fact, ["instance"], lambda instance: instance in back)
    there = put(fact, mine, answers=True, silence="", compatibility=None, mode=None, types=None, version=None)
    return changed(there, {}, reveal(fact, _ENTITY, back))


_SETS = {"schema_registry": _registry}

RECOVERY = Recovery(
    help="Instances of the Schema Registry that were silent answer.",
    takes=("instances",),
    sets=_SETS,
    leaves=all_but(_SETS),
    entity=_ENTITY,
    of="instances",
    sources=("Confluent and Apicurio, Schema Registry: instances share their schemas through a topic or a database",),
)
