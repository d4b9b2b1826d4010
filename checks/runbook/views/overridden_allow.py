"""Which ACLs that allow something a Deny for every user overrides, at least in part."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._acl_names import IMPLIED_BY, covers_names

_ANY: Final = "*"
_EVERYBODY: Final = "User:*"
_COLUMNS = ("principal", "host", "operation", "permission", "resource_type", "resource", "pattern")


class OverriddenAllow(Row):
    """A Deny ACL for every user."""

    host: Annotated[str, Cell("From which address; * is any.", key=True)]
    operation: Annotated[str, Cell("Read, Write, …; All is each of them.", key=True)]
    resource_type: Annotated[str, Cell("Topic, Group, Cluster, TransactionalId, DelegationToken or User.", key=True)]
    resource: Annotated[str, Cell("Its name, or what names begin with; * is every one.", key=True)]
    pattern: Annotated[str, Cell("Literal, or Prefixed: all names that begin so.", key=True)]
    overrides: Annotated[
        list[str] | None,
        Cell("ACLs that allow what it denies, or part of that; unknown where none is seen, and some ACLs are not."),
    ]


VIEW = View(
    help="One row per Deny ACL for User:*: which Allow ACLs it overrides.",
    row=OverriddenAllow,
    leaves_out="Deny ACLs for one user",
    inputs={"acl": Input("kafka_acl", columns=_COLUMNS)},
)


def compute(*, acl: Fact) -> Observed:
    """Find them in kafka_acl, as StandardAuthorizer does: a matching Deny comes before every Allow."""
    acls = list(acl.rows(*_COLUMNS))
    allowed = [row for row in acls if row["permission"] == "Allow"]
    rows = []
    for deny in acls:
        if deny["permission"] != "Deny" or deny["principal"] != _EVERYBODY:
            continue
        found = sorted(
            f"{one['principal']} {one['operation']} {one['resource_type']} {one['resource']}"
            for one in allowed
            if _overlap(deny, one)
        )
        own = {name: deny[name] for name in ("host", "operation", "resource_type", "resource", "pattern")}
        rows.append(OverriddenAllow(**own, overrides=found if found or acl.complete else None))
    return Observed(rows=rows)


def _overlap(deny: Mapping[str, Any], allow: Mapping[str, Any]) -> bool:
    """Whether some request matches both ACLs, whoever makes it."""
    alike = deny["resource_type"] == allow["resource_type"]
    hosts = _ANY in (deny["host"], allow["host"]) or deny["host"] == allow["host"]
    allowed_by = {"All", deny["operation"], *IMPLIED_BY.get(deny["operation"], ())}
    operations = deny["operation"] == "All" or allow["operation"] in allowed_by
    names = [(one["resource"], one["pattern"]) for one in (deny, allow)]
    resources = covers_names(*names[0], *names[1]) or covers_names(*names[1], *names[0])
    return bool(alike and hosts and operations and resources)
