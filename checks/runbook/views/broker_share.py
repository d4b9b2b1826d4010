"""How evenly the brokers share the work: what each holds, against the mean."""

from collections.abc import Sequence
from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId, Bytes
from runbook.model.row import Cell, Row
from runbook.model.view import View

_MEASURES = ("leaders", "replicas", "bytes")


class BrokerShare(Row):
    """A broker."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    leaders: Annotated[int | None, Cell("Partitions it leads.", unit="partitions")]
    replicas: Annotated[int | None, Cell("Replicas it holds.", unit="replicas")]
    bytes: Annotated[Bytes | None, Cell("What they take on its disks.")]
    leaders_share: Annotated[
        float | None, Cell("Its leaders over the mean of all brokers; 1.0 where nobody leads any.")
    ]
    replicas_share: Annotated[float | None, Cell("Its replicas over the mean of all brokers.")]
    bytes_share: Annotated[float | None, Cell("Its bytes over the mean of all brokers.")]
    mean_leaders: Annotated[float | None, Cell("Leaders of a broker on average.", unit="partitions")]
    mean_replicas: Annotated[float | None, Cell("Replicas of a broker on average.", unit="replicas")]
    mean_bytes: Annotated[float | None, Cell("Bytes of a broker on average.", unit="bytes")]


VIEW = View(
    help="One row per broker: its leaders, replicas and bytes, and each as a multiple of the brokers' mean.",
    row=BrokerShare,
    of=(("broker", *_MEASURES),),
)


def compute(balance: Fact, /) -> Observed:
    """Work out the shares from kafka_replica_balance; without a mean, as one broker did not tell, they are None."""
    means = {name: _mean(balance.columns[name]) for name in _MEASURES}
    rows = [
        BrokerShare(
            broker=row["broker"],
            leaders=row["leaders"],
            replicas=row["replicas"],
            bytes=row["bytes"],
            leaders_share=_share(row["leaders"], means["leaders"]),
            replicas_share=_share(row["replicas"], means["replicas"]),
            bytes_share=_share(row["bytes"], means["bytes"]),
            mean_leaders=means["leaders"],
            mean_replicas=means["replicas"],
            mean_bytes=means["bytes"],
        )
        for row in balance.rows()
    ]
    return Observed(rows=rows)


def _mean(values: Sequence[int | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def _share(value: int | None, mean: float | None) -> float | None:
    if value is None or mean is None:
        return None
    return value / mean if mean else 1.0
