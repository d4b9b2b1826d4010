"""Whether clients that nobody thought of are limited: the quotas for all that have none of their own."""

from typing import Annotated, Final

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

LIMITS: Final = ("producer_byte_rate", "consumer_byte_rate", "request_percentage")
"""What clients can be limited in; how fast they may create topics and connect is another matter."""

_COLUMNS = ("limit", "value", "default", "about")


class DefaultQuota(Row):
    """A limit."""

    limit: Annotated[str, Cell("producer_byte_rate, consumer_byte_rate or request_percentage.", key=True)]
    set: Annotated[bool | None, Cell("Whether it holds for every user, every client id, or both.")]
    value: Annotated[float | None, Cell("The largest that a default allows, on each broker; 0 if none is set.")]
    others: Annotated[int, Cell("Quotas of it for users or clients by name.")]


VIEW = View(
    help="One row per limit: what Kafka's default quotas say of it.",
    row=DefaultQuota,
    inputs={
        "quota": Input("kafka_quota", columns=_COLUMNS, needs=("default",)),
    },
    version=2,
)


def compute(*, quota: Fact) -> Observed:
    """Work it out from kafka_quota."""
    quotas = list(quota.rows(*_COLUMNS))
    rows = []
    for limit in LIMITS:
        mine = [row for row in quotas if row["limit"] == limit]
        values = [row["value"] for row in mine if row["default"] and row["about"] != "ip"]
        others = sum(not row["default"] for row in mine)
        known = bool(values) or quota.complete  # what is not seen may be the default that seems to be missing
        rows.append(
            DefaultQuota(
                limit=limit,
                set=bool(values) if known else None,
                value=max(values, default=0.0) if known else None,
                others=others,
            )
        )
    return Observed(rows=rows)
