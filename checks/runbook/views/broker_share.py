"""How evenly the brokers share the work: what each holds, against the mean."""

from collections.abc import Sequence

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

_MEASURES = ("leaders", "replicas", "bytes")

VIEW = View(
    help="One row per broker: its leaders, replicas and bytes, and each as a multiple of the brokers' mean.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("leaders", "int", "Partitions it leads.", unit="partitions"),
        Column("replicas", "int", "Replicas it holds.", unit="replicas"),
        Column("bytes", "int", "What they take on its disks.", unit="bytes"),
        Column("leaders_share", "float", "Its leaders over the mean of all brokers; 1.0 where nobody leads any."),
        Column("replicas_share", "float", "Its replicas over the mean of all brokers."),
        Column("bytes_share", "float", "Its bytes over the mean of all brokers."),
        Column("mean_leaders", "float", "Leaders of a broker on average.", unit="partitions"),
        Column("mean_replicas", "float", "Replicas of a broker on average.", unit="replicas"),
        Column("mean_bytes", "float", "Bytes of a broker on average.", unit="bytes"),
    ),
    of=(("broker", *_MEASURES),),
)


def compute(balance: Fact, /) -> Observed:
    """Work out the shares from kafka_replica_balance; without a mean, as one broker did not tell, they are None."""
    means = [_mean(balance.columns[name]) for name in _MEASURES]
    rows = [
        (broker, *values, *(_share(value, mean) for value, mean in zip(values, means, strict=True)), *means)
        for broker, *values in zip(
            balance.columns["broker"], *(balance.columns[name] for name in _MEASURES), strict=True
        )
    ]
    return Observed(rows=rows)


def _mean(values: Sequence[int | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def _share(value: int | None, mean: float | None) -> float | None:
    if value is None or mean is None:
        return None
    return value / mean if mean else 1.0
