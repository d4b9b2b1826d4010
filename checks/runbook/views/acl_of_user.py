"""The ACLs of a user that somebody named, or that it has none: gates ask for it by name."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_TAKEN = ("host", "operation", "permission", "resource_type", "resource", "pattern")


class AclOfUser(Row):
    """An ACL of the user."""

    principal: Annotated[str, Cell("The user, as User:alice.", key=True, entity="principal")]
    host: Annotated[str, Cell("From which address; * is any; empty if the user has no ACL.", key=True)]
    operation: Annotated[str, Cell("Read, Write, … or All; empty if the user has no ACL.", key=True)]
    permission: Annotated[str, Cell("Allow or Deny; empty if the user has no ACL.", key=True)]
    resource_type: Annotated[str, Cell("Topic, Group, …; empty if the user has no ACL.", key=True)]
    resource: Annotated[str, Cell("Its name, or what names begin with; empty if the user has no ACL.", key=True)]
    pattern: Annotated[str, Cell("Literal or Prefixed; empty if the user has no ACL.", key=True)]


VIEW = View(
    help="One row per ACL of the user that was asked about; one with empty cells if it has none.",
    row=AclOfUser,
    leaves_out="ACLs of others",
    inputs={"acl": Input("kafka_acl", columns=("principal", *_TAKEN))},
    parameters={"user": Parameter(type="string", default="", help="its name, without User:")},
)


def compute(*, acl: Fact, user: str = "") -> Observed:
    """Find them in kafka_acl. That there are none is said only where Kafka tells all."""
    principal = f"User:{user}"
    rows = [AclOfUser(**row) for row in acl.rows("principal", *_TAKEN) if row["principal"] == principal]
    if not rows and acl.complete:
        rows = [AclOfUser(principal=principal, **dict.fromkeys(_TAKEN, ""))]
    return Observed(rows=rows)
