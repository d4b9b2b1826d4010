"""Instances that contradicted one another are of one registry; which of them told what that one holds is not known."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put


def _registry(fact: Fact, _: Situation) -> Fact:
    return put(fact, chosen(fact, ["answers"], bool), compatibility=None, mode=None)


_OF_A_REGISTRY = {"schema_id", "schema_mode", "schema_proposal", "schema_registry", "schema_subject", "schema_version"}

RECOVERY = Recovery(
    help="Instances that contradicted one another are of one registry.",
    takes=(),
    sets={"schema_registry": _registry},
    leaves=all_but(_OF_A_REGISTRY),
    entity="",
    of="",
    sources=("Confluent and Apicurio, Schema Registry: all instances keep what they tell in one topic or database",),
)
