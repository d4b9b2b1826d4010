"""Schemas that are about to be registered fit to what is there."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put


def _proposal(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["subject"], lambda subject: subject in situation.given["subjects"])
    return put(fact, mine, compatible=True, messages=[])


_SETS = {"schema_proposal": _proposal}

RECOVERY = Recovery(
    help="Schemas that are about to be registered fit to what is there.",
    takes=("subjects",),
    sets=_SETS,
    leaves=all_but(_SETS),
    entity="",
    of="",
    sources=("Confluent documentation, Schema evolution and compatibility: the registry judges a schema by its text",),
)
