"""The quotas that may hold a group's readers back: those of their client ids, and those of users, who are not told."""

from collections import defaultdict
from typing import Annotated, Final

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_LIMITS: Final = ("consumer_byte_rate", "request_percentage")


class GroupQuota(Row):
    """A group with members."""

    group: Annotated[str, Cell("Group id.", key=True, entity="group")]
    of_clients: Annotated[
        list[str],
        Cell(
            "Quotas in force for client ids of its members, in words: the tightest first. That of every client is "
            "for those without one of their own."
        ),
    ]
    of_users: Annotated[
        list[str], Cell("Quotas for users, in words: as which user a member logs in its coordinator does not tell.")
    ]


VIEW = View(
    help="One row per group with members: what limits how fast its members' clients, or users, may read.",
    row=GroupQuota,
    inputs={
        "member": Input("kafka_group_member", columns=("group", "client")),
        "quota": Input("kafka_quota", columns=("who", "limit", "value", "about")),
    },
)


def compute(*, member: Fact, quota: Fact) -> Observed:
    """Choose the quotas of kafka_quota by the client ids of kafka_group_member."""
    clients: dict[str, set[str]] = defaultdict(set)
    for row in member.rows("group", "client"):
        clients[row["group"]].add(f"client {row['client']}")
    limits = sorted(
        (row for row in quota.rows("who", "limit", "value", "about") if row["limit"] in _LIMITS),
        key=lambda row: (row["limit"], row["value"]),
    )
    of_users = [_said(row) for row in limits if row["about"].startswith("user")]
    of_clients = [row for row in limits if row["about"] == "client"]
    own = {(row["who"], row["limit"]) for row in of_clients}
    return Observed(
        rows=[
            GroupQuota(
                group=group,
                of_clients=[
                    _said(row)
                    for row in of_clients
                    if row["who"] in mine
                    or (row["who"] == "every client" and any((one, row["limit"]) not in own for one in mine))
                ],
                of_users=of_users,
            )
            for group, mine in clients.items()
        ]
    )


def _said(row: dict[str, object]) -> str:
    return f"{row['limit']} {row['value']:g} of {row['who']}"
