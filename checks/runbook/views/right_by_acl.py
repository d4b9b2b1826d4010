"""Whether ACLs give certain rights, decided as Kafka's authorizer does.

One matching Deny wins; else one matching Allow is enough; else the answer is no. Who is in super.users is above all of
this, and what a listener makes of a login is not seen here.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.right import AskedRight, read_right
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._acl_names import IMPLIED_BY

_ANY = "*"


class RightByAcl(Row):
    """A right that was asked about."""

    right: Annotated[str, Cell("As it was asked: principal, operation, type, name, host or nothing.", key=True)]
    principal: Annotated[str, Cell("Whose right; empty where the right can't be understood.", entity="principal")]
    given: Annotated[
        bool | None, Cell("Whether ACLs give it; unknown where Kafka does not tell all, or it is not understood.")
    ]
    denied: Annotated[bool | None, Cell("Whether a Deny takes it.")]


VIEW = View(
    help="One row per right that was asked about.",
    row=RightByAcl,
    inputs={
        "acl": Input(
            "kafka_acl",
            columns=("principal", "host", "operation", "permission", "resource_type", "resource", "pattern"),
        ),
    },
    parameters={
        "rights": Parameter(
            "list[string]",
            None,
            help="rights, as in: User:billing Write Topic orders; an address may follow, else it is any other",
        ),
        "without": Parameter("list[string]", None, help="principals whose ACLs are left out, as if they were gone"),
    },
)


def compute(*, acl: Fact, rights: list[str] | None = None, without: list[str] | None = None) -> Observed:
    """Work it out from kafka_acl."""
    bindings = [row for row in acl.rows() if row["principal"] not in (without or ())]
    return Observed(rows=[_row(text, bindings, complete=acl.complete) for text in sorted(set(rights or ()))])


def _row(text: str, bindings: Sequence[Mapping[str, Any]], *, complete: bool) -> RightByAcl:
    right = read_right(text)
    if right is None:
        return RightByAcl(right=text, principal="", given=None, denied=None)
    found = [binding for binding in bindings if _concerns(binding, right)]
    denied = any(
        binding["permission"] == "Deny" and binding["operation"] in ("All", right.operation) for binding in found
    )
    enough = {"All", right.operation, *IMPLIED_BY.get(right.operation, ())}
    given = not denied and any(binding["permission"] == "Allow" and binding["operation"] in enough for binding in found)
    if not complete and not denied:  # what is not seen may allow it, or deny it
        return RightByAcl(right=text, principal=right.principal, given=None, denied=None)
    return RightByAcl(right=text, principal=right.principal, given=given, denied=denied)


def is_about(one: Mapping[str, Any], right: AskedRight) -> bool:
    """Whether an ACL is for the resource of a right, whoever it names."""
    if one["resource_type"] != right.resource_type:
        return False
    if one["pattern"] == "Prefixed":
        return right.resource.startswith(one["resource"])
    return one["resource"] in (_ANY, right.resource)


def _concerns(one: Mapping[str, Any], right: AskedRight) -> bool:
    return (
        one["principal"] in (right.principal, "User:*") and one["host"] in (_ANY, right.host) and is_about(one, right)
    )
