"""Services have rights that no ACL gave them: for each there is an ACL that allows it, and nothing more."""

from typing import Any

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.model.right import read_right
from runbook.recoveries._rows import all_but


def _acl(fact: Fact, situation: Situation) -> Fact:
    rows: list[dict[str, Any]] = []
    for right in filter(None, map(read_right, situation.given["rights"])):
        allowed = {"permission": "Allow", "pattern": "Literal"}
        rows.append(allowed | {name: getattr(right, name) for name in fact.columns if name not in allowed})
    columns = {name: [*cells, *(row[name] for row in rows)] for name, cells in fact.columns.items()}
    return changed(fact, columns, fact.gaps)


_SETS = {"kafka_acl": _acl}

RECOVERY = Recovery(
    help="Services have rights that no ACL gave them.",
    takes=("rights",),
    sets=_SETS,
    leaves=all_but(_SETS),
    entity="",
    of="",
    sources=("Apache Kafka documentation, Authorization and ACLs: one ACL that allows is enough where none denies",),
)
