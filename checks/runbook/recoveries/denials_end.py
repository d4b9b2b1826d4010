"""ACLs that deny something to principals, by their name or to everybody, are gone; all others stay."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._elsewhere import all_but, chosen


def _acl(fact: Fact, situation: Situation) -> Fact:
    whom = {*situation.given["principals"], "User:*"}
    gone = chosen(fact, ["principal", "permission"], lambda who, permission: permission == "Deny" and who in whom)
    columns = {
        name: [cell for cell, away in zip(cells, gone, strict=True) if not away] for name, cells in fact.columns.items()
    }
    return changed(fact, columns, fact.gaps)


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
