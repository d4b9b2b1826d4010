"""By which listeners clients come to each broker: through TLS, and in the clear."""

from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_TLS = ("SSL", "SASL_SSL")


class BrokerEntry(Row):
    """A broker, and its listeners for clients."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    encrypted: Annotated[
        list[str] | None,
        Cell("Listeners that speak TLS and are not for controllers; unknown if that of any is.", entity="listener"),
    ]
    in_the_clear: Annotated[list[str] | None, Cell("Those that do not.", entity="listener")]


VIEW = View(
    help="One row per broker that reports its listeners: which of them speak TLS. Those for controllers are left out.",
    row=BrokerEntry,
    inputs={
        "listener": Input("kafka_listener", columns=("broker", "listener", "protocol", "for_controllers")),
    },
)


def compute(*, listener: Fact) -> Observed:
    """Work it out from kafka_listener."""
    found: dict[BrokerId, list[dict[str, Any]]] = {}
    for row in listener.rows():
        if row["for_controllers"] is not True:
            found.setdefault(row["broker"], []).append(row)
    return Observed(
        rows=[
            BrokerEntry(broker=broker, encrypted=_of(rows, tls=True), in_the_clear=_of(rows, tls=False))
            for broker, rows in sorted(found.items())
        ]
    )


def _of(rows: list[dict[str, Any]], *, tls: bool) -> list[str] | None:
    if any(row["protocol"] is None or row["for_controllers"] is None for row in rows):
        return None
    return sorted(row["listener"] for row in rows if (row["protocol"] in _TLS) == tls)
