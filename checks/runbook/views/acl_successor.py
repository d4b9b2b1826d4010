"""Whether one principal has every ACL that another has: who takes over from it may do the same, and no less."""

from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_COLUMNS = ("host", "operation", "permission", "resource_type", "resource", "pattern")


class AclSuccessor(Row):
    """An ACL of the principal that is to be replaced."""

    binding: Annotated[str, Cell("The ACL, as in: Allow Read Topic orders Literal from *.", key=True)]
    principal: Annotated[str, Cell("Who is to have it too.", entity="principal")]
    present: Annotated[bool | None, Cell("Whether it has it; unknown where not all is reported.", why="trouble")]
    trouble: Annotated[str, Cell("Why that is not known; empty if it is.")]


VIEW = View(
    help="One row per ACL of a principal that is to be replaced, with whether its successor has the same.",
    row=AclSuccessor,
    inputs={
        "acl": Input("kafka_acl", columns=("principal", *_COLUMNS)),
    },
    parameters={
        "old": Parameter("string", None, help="name of the user that is to be replaced, without User:"),
        "new": Parameter("string", None, help="name of the user that takes over, without User:"),
    },
)


def compute(*, acl: Fact, old: str | None = None, new: str | None = None) -> Observed:
    """Work it out from kafka_acl.

    Who has no ACL at all, as a super user or by a name that was mistyped, gives one row of which nothing is known.
    """
    if not old or not new:
        return Observed(rows=[_unknown("", "", "no users were named")])
    bindings = list(acl.rows("principal", *_COLUMNS))
    has = {_binding(row) for row in bindings if row["principal"] == f"User:{new}" and None not in row.values()}
    whole = acl.complete and all(None not in row.values() for row in bindings)
    rows = []
    for row in bindings:
        if row["principal"] == f"User:{old}":
            binding = _binding(row)
            present = True if binding in has else False if whole else None
            trouble = "" if present is not None else "not all ACLs are reported"
            rows.append(AclSuccessor(binding=binding, principal=f"User:{new}", present=present, trouble=trouble))
        elif row["principal"] is None:
            rows.append(_unknown(_binding(row), new, "it is unknown whose ACL this is"))
    return Observed(rows=rows or [_unknown("", new, f"User:{old} has no ACL")])


def _unknown(binding: str, new: str, trouble: str) -> AclSuccessor:
    return AclSuccessor(binding=binding, principal=f"User:{new}", present=None, trouble=trouble)


def _binding(row: dict[str, Any]) -> str:
    return "{permission} {operation} {resource_type} {resource} {pattern} from {host}".format(**row)
