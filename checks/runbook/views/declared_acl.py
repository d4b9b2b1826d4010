"""The ACLs that there are, beside those that somebody declared."""

from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.parameter import Parameter
from runbook.engine.view import View

_COLUMNS = ("permission", "principal", "host", "operation", "resource_type", "resource", "pattern")

VIEW = View(
    help="One row per ACL that there is or that was declared.",
    columns=(
        Column("binding", "string", "The ACL: permission, principal, host, operation, type, name, pattern.", key=True),
        Column("principal", "string", "Whom it is for; empty for one that is only declared.", entity="principal"),
        Column("declared", "bool", "Whether it was declared."),
        Column("present", "bool", "Whether it is there; unknown where Kafka does not tell all."),
    ),
    of=(_COLUMNS,),
    parameters={
        "declared": Parameter(
            "list[string]", None, help="ACLs as in: Allow User:alice 192.0.2.1 Read Topic orders Literal"
        ),
    },
)


def compute(acl: Fact, /, *, declared: list[str] | None = None) -> Observed:
    """Work it out from kafka_acl."""
    rows: dict[str, tuple[Any, ...]] = {}
    wanted = {" ".join(one.split()) for one in declared or ()}
    for one in acl.rows():
        binding = " ".join(str(one[column]) for column in _COLUMNS)
        rows[binding] = (binding, one["principal"], binding in wanted, True)
    for binding in wanted - set(rows):
        rows[binding] = (binding, "", True, False if acl.complete else None)
    return Observed(rows=[rows[binding] for binding in sorted(rows)])
