"""What producers write to the whole cluster, and how large their records are on average."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class ClusterLoad(Row):
    """The cluster."""

    brokers: Annotated[int, Cell("Brokers whose metrics are known.", key=True, unit="brokers")]
    messages_in: Annotated[float | None, Cell("Records.", unit="records per second", moves=True)]
    bytes_in: Annotated[float | None, Cell("Bytes, as producers compressed them.", unit="bytes/s", moves=True)]
    record_size: Annotated[
        float | None, Cell("Mean bytes of a record, compressed; unknown without records.", unit="bytes", moves=True)
    ]


VIEW = View(
    help="One row: what producers write to all brokers together.",
    row=ClusterLoad,
    inputs={
        "load": Input("broker_load", columns=("broker", "messages_in", "bytes_in")),
    },
)


def compute(*, load: Fact) -> Observed:
    """Add up broker_load; the sum is not known where a broker's part is not."""
    rows = list(load.rows())
    if not rows:
        return Observed()
    messages, size = (
        _sum([row[name] for row in rows]) if load.complete else None for name in ("messages_in", "bytes_in")
    )
    mean = size / messages if size is not None and messages else None
    return Observed(rows=[ClusterLoad(brokers=len(rows), messages_in=messages, bytes_in=size, record_size=mean)])


def _sum(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
