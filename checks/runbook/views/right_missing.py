"""Rights that no ACL gives, and that are denied by that: a resource without any ACL may be open to everybody.

Without an ACL for a resource it depends on `allow.everyone.if.no.acl.found` of the brokers, false unless set. Kafka
hides the values of settings that it does not know itself: of one that is set only that can be told.
"""

from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.right import AskedRight, read_right
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views import right_by_acl


class RightMissing(Row):
    """A right that was asked about."""

    right: Annotated[str, Cell("As it was asked: principal, operation, type, name, host or nothing.", key=True)]
    principal: Annotated[str, Cell("Whose right; empty where the right can't be understood.", entity="principal")]
    missing: Annotated[
        bool | None, Cell("Whether it is denied as no ACL gives it; a Deny is another matter, and false here.")
    ]


VIEW = View(
    help="One row per right that was asked about: whether it is denied as no ACL gives it.",
    row=RightMissing,
    version=2,
    inputs={
        "acl": right_by_acl.VIEW.inputs["acl"],
        "authorization": Input("broker_authorization", columns=("open_by_default",)),
    },
    parameters={"rights": right_by_acl.VIEW.parameters["rights"]},
)


def compute(*, acl: Fact, authorization: Fact, rights: list[str] | None = None) -> Observed:
    """Work it out from kafka_acl and broker_authorization; where brokers disagree, the one that is asked decides."""
    judged: Any = right_by_acl.compute(acl=acl, rights=rights).rows
    opened = set(authorization.columns["open_by_default"])
    closed = opened == {False} if authorization.complete and opened in ({False}, {True}) else None
    return Observed(rows=[_row(row, has_acls=_has_acls(acl, read_right(row.right)), closed=closed) for row in judged])


def _row(one: right_by_acl.RightByAcl, *, has_acls: bool, closed: bool | None) -> RightMissing:
    missing = False if one.given or one.denied else None if one.given is None else True if has_acls else closed
    return RightMissing(right=one.right, principal=one.principal, missing=missing)


def _has_acls(acl: Fact, right: AskedRight | None) -> bool:
    return right is not None and any(right_by_acl.is_about(row, right) for row in acl.rows())
