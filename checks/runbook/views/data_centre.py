"""The data centres that a cluster stands in, by the racks of its brokers."""

from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._data_centres import SITES, moved, placeless


class DataCentre(Row):
    """A data centre in which brokers stand."""

    data_centre: Annotated[str, Cell("Its name.", key=True, entity="data_centre")]
    racks: Annotated[list[str], Cell("The racks in it.", entity="rack")]
    brokers: Annotated[list[BrokerId], Cell("The brokers in it.")]
    fenced: Annotated[list[BrokerId], Cell("Those of them that are out of service.")]
    data_centres: Annotated[
        int | None,
        Cell(
            "How many there are, the same in every row; unknown while a broker of unknown place could make one two.",
            unit="data centres",
        ),
    ]


VIEW = View(
    help="One row per data centre in which brokers stand.",
    row=DataCentre,
    inputs={
        "broker": Input("kafka_broker", columns=("broker", "rack", "fenced"), needs=("fenced",)),
    },
    version=2,
    parameters={"sites": SITES},
)


def compute(*, broker: Fact, sites: list[str] | None = None) -> Observed:
    """Work it out from kafka_broker. A broker whose place is not known is in none, and a gap."""
    there = moved(broker, sites or [])
    gaps = placeless(there)
    found: dict[str, list[dict[str, Any]]] = {}
    for row, centre in zip(broker.rows("broker", "rack", "fenced"), there.columns["rack"], strict=True):
        if centre is not None:
            found.setdefault(centre, []).append(row)
    many = len(found) if len(found) > 1 or not gaps else None
    rows = [
        DataCentre(
            data_centre=name,
            racks=sorted({row["rack"] for row in inside if row["rack"]}),
            brokers=sorted(row["broker"] for row in inside),
            fenced=sorted(row["broker"] for row in inside if row["fenced"]),
            data_centres=many,
        )
        for name, inside in sorted(found.items())
    ]
    return Observed(rows=rows, gaps=gaps)
