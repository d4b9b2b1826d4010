"""The brokers that somebody named: whether the cluster has them, and in service."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class NamedBroker(Row):
    """A broker that was named."""

    id: Annotated[str, Cell("As it was named; empty where none was.", key=True)]
    registered: Annotated[bool | None, Cell("Whether the cluster knows it; unknown where brokers may be missing.")]
    fenced: Annotated[bool | None, Cell("Whether it is kept out of service; unknown where it is not registered.")]


VIEW = View(
    help="One row per broker that is named, there or not.",
    row=NamedBroker,
    leaves_out="brokers that are not named",
    inputs={
        "broker": Input("kafka_broker", columns=("broker", "unregistered", "fenced"), needs=("fenced",)),
    },
    parameters={"ids": Parameter(type="list[string]", help="their ids, as in [1, 2, 3]; one row of no broker without")},
)


def compute(*, broker: Fact, ids: list[str] | None = None) -> Observed:
    """Find them in kafka_broker, which also has those that only replica lists still name."""
    there = {str(row["broker"]): row for row in broker.rows() if not row["unregistered"]}
    absent = broker.presence(found=None)
    return Observed(
        [
            NamedBroker(id=one, registered=True, fenced=there[one]["fenced"])
            if one in there
            else NamedBroker(id=one, registered=absent if one else False, fenced=None)
            for one in dict.fromkeys(ids or [""])
        ]
    )
