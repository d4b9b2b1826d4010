"""Whether clients that nobody thought of are limited: the quotas for all that have none of their own."""

from typing import Final

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

LIMITS: Final = ("producer_byte_rate", "consumer_byte_rate", "request_percentage")
"""What clients can be limited in; how fast they may create topics and connect is another matter."""

_COLUMNS = ("limit", "value", "default", "about")

VIEW = View(
    help="One row per limit: what Kafka's default quotas say of it.",
    columns=(
        Column("limit", "string", "producer_byte_rate, consumer_byte_rate or request_percentage.", key=True),
        Column("set", "bool", "Whether it holds for every user, every client id, or both."),
        Column("value", "float", "The largest that a default allows, on each broker; 0 if none is set."),
        Column("others", "int", "Quotas of it for users or clients by name."),
    ),
    of=(_COLUMNS,),
    needs=(("default",),),
    version=2,
)


def compute(quota: Fact, /) -> Observed:
    """Work it out from kafka_quota."""
    told = list(zip(*(quota.columns[name] for name in _COLUMNS), strict=True))
    rows = []
    for limit in LIMITS:
        values = [value for name, value, default, about in told if name == limit and default and about != "ip"]
        others = sum(name == limit and not default for name, _, default, _ in told)
        known = bool(values) or quota.complete  # what is not seen may be the default that seems to be missing
        rows.append((limit, bool(values) if known else None, max(values, default=0.0) if known else None, others))
    return Observed(rows=rows)
