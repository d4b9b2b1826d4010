"""ACLs that deny something to principals, by their name or to everybody, are gone; all others stay."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, without


def _acl(fact: Fact, situation: Situation) -> Fact:
    whom = {*situation.given["principals"], "User:*"}
    gone = chosen(fact, ["principal", "permission"], lambda who, permission: permission == "Deny" and who in whom)
    return without(fact, gone)


_SETS = {"kafka_acl": _acl}

RECOVERY = Recovery(
    help="ACLs that deny something to principals are gone.",
    takes=("principals",),
    sets=_SETS,
    leaves=all_but(_SETS),
    entity="",
    of="",
    sources=("Apache Kafka documentation, Authorization and ACLs: one Deny that matches wins over every Allow",),
)
