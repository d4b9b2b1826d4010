"""A principal that an authorizer's log names: how many ACLs it has, and whose names are spelt most like it."""

from typing import Annotated

from runbook.model.errors import near_names
from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class NamedPrincipal(Row):
    """A principal that was named."""

    principal: Annotated[str, Cell("As the log has it, such as User:billing.", key=True, entity="principal")]
    acls: Annotated[
        int | None, Cell("ACLs that name it; unknown where none is seen and some may be hidden.", unit="ACLs")
    ]
    alike: Annotated[str, Cell("Principals of ACLs that are spelt most like it; empty if ACLs name it.")]


VIEW = View(
    help="One row for the principal that is named, whether ACLs name it or not.",
    row=NamedPrincipal,
    leaves_out="principals that are not named",
    inputs={"acl": Input("kafka_acl", columns=("principal",))},
    parameters={"principal": Parameter(type="string", default="", help="as in User:billing; none without")},
)


def compute(*, acl: Fact, principal: str = "") -> Observed:
    """Count its ACLs in kafka_acl; those for everyone (User:*) are not its own."""
    if not principal:
        return Observed([])
    named = [row["principal"] for row in acl.rows("principal")]
    count = named.count(principal)
    return Observed(
        [
            NamedPrincipal(
                principal=principal,
                acls=count if count or acl.complete else None,
                alike="" if count else ", ".join(near_names(principal, sorted(set(named)))),
            )
        ]
    )
