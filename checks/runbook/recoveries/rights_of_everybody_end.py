"""ACLs that open every resource of a type to whoever has any login are gone; all others stay."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, without


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
    return without(fact, gone)


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
