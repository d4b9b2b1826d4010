"""The ACLs that there are, beside those that somebody declared."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_COLUMNS = ("permission", "principal", "host", "operation", "resource_type", "resource", "pattern")


class DeclaredAcl(Row):
    """An ACL that there is or that was declared."""

    binding: Annotated[str, Cell("The ACL: permission, principal, host, operation, type, name, pattern.", key=True)]
    principal: Annotated[str, Cell("Whom it is for; empty for one that is only declared.", entity="principal")]
    declared: Annotated[bool, Cell("Whether it was declared.")]
    present: Annotated[bool | None, Cell("Whether it is there; unknown where Kafka does not tell all.")]


VIEW = View(
    help="One row per ACL that there is or that was declared.",
    row=DeclaredAcl,
    inputs={
        "acl": Input("kafka_acl", columns=_COLUMNS),
    },
    parameters={
        "declared": Parameter(
            "list[string]", None, help="ACLs as in: Allow User:alice 192.0.2.1 Read Topic orders Literal"
        ),
    },
)


def compute(*, acl: Fact, declared: list[str] | None = None) -> Observed:
    """Work it out from kafka_acl."""
    rows: dict[str, DeclaredAcl] = {}
    wanted = {" ".join(acl.split()) for acl in declared or ()}
    for row in acl.rows():
        binding = " ".join(str(row[column]) for column in _COLUMNS)
        rows[binding] = DeclaredAcl(
            binding=binding, principal=row["principal"], declared=binding in wanted, present=True
        )
    for binding in wanted - set(rows):
        rows[binding] = DeclaredAcl(binding=binding, principal="", declared=True, present=acl.presence(found=False))
    return Observed(rows=[rows[binding] for binding in sorted(rows)])
