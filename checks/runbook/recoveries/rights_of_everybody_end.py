"""ACLs that open every resource of a type to whoever has any login are gone; all others stay."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._elsewhere import all_but, chosen


def _acl(fact: Fact, situation: Situation) -> Fact:
    gone = chosen(
        fact,
        ["principal", "permission", "operation", "resource_type", "resource"],
        lambda who, permission, operation, kind, name: (
            (who, permission, name) == ("User:*", "Allow", "*")
            and kind in situation.given["resource_types"]
            and operation in situation.given["operations"]
        ),
    )
    columns = {
        name: [cell for cell, away in zip(cells, gone, strict=True) if not away] for name, cells in fact.columns.items()
    }
    return changed(fact, columns, fact.gaps)


_SETS = {"kafka_acl": _acl}

RECOVERY = Recovery(
    help="ACLs that open every resource of a type to everybody are gone.",
    takes=("resource_types", "operations"),
    sets=_SETS,
    leaves=all_but(_SETS),
    entity="",
    of="",
    sources=(
        "Apache Kafka documentation, Authorization and ACLs: User:* is everybody who has logged in, and who has not",
    ),
)
