"""Partitions that groups read, and whether a transaction is open there for longer than brokers allow."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Offset, PartitionNumber, Seconds
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._broker_settings import by_broker

_LIMIT: Final = "transaction.max.timeout.ms"


class OpenTransaction(Row):
    """A group and a partition, as in kafka_group_lag."""

    group: Annotated[str, Cell("Group id.", key=True, entity="group")]
    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    stable: Annotated[Offset | None, Cell("Last stable offset: where the oldest open transaction begins.")]
    end: Annotated[Offset | None, Cell("Offset that the next record will get.")]
    open_least: Annotated[
        Seconds | None,
        Cell("Age of the oldest record of a transaction that is still open, at least; 0 where none is."),
    ]
    open_most: Annotated[Seconds | None, Cell("The same, at most.")]
    longest: Annotated[
        Seconds | None,
        Cell(f"How long a transaction may be open; without a parameter the largest {_LIMIT} of a broker."),
    ]
    overdue: Annotated[
        bool | None,
        Cell(
            "Whether one is open for longer.",
            untold=f"since when a transaction is open, at least and at most, or {_LIMIT} of a broker, is not known",
        ),
    ]


_LAG: Final = ("group", "topic", "partition", "stable", "end", "open_least", "open_most")
VIEW = View(
    help="One row per group and partition of kafka_group_lag: whether a transaction is open there for too long.",
    row=OpenTransaction,
    version=2,
    inputs={
        "lag": Input("kafka_group_lag", columns=_LAG),
        "setting": Input("kafka_broker_setting", columns=("broker", "setting", "value"), tells=True),
    },
    parameters={
        "longest": Parameter(type="int", default=0, min=0, help=f"seconds; 0: {_LIMIT} of the brokers"),
    },
)


def compute(*, lag: Fact, setting: Fact, longest: int = 0) -> Observed:
    """Work it out from kafka_group_lag and kafka_broker_setting; a broker that is silent may allow more than others."""
    values = [settings.get(_LIMIT) for settings in by_broker(setting).values()]
    known = [int(value) / 1000 for value in values if value]
    limit = float(longest) or max(known, default=None)
    whole = bool(longest) or (setting.complete and len(known) == len(values))
    return Observed(rows=[_row(row, limit, whole=whole) for row in lag.rows(*_LAG)])


def _row(row: Mapping[str, Any], limit: float | None, *, whole: bool) -> OpenTransaction:
    return OpenTransaction(
        group=row["group"],
        topic=row["topic"],
        partition=row["partition"],
        stable=row["stable"],
        end=row["end"],
        open_least=row["open_least"],
        open_most=row["open_most"],
        longest=None if limit is None else Seconds(limit),
        overdue=_is_overdue(row["open_least"], row["open_most"], limit, whole=whole),
    )


def _is_overdue(least: float | None, most: float | None, limit: float | None, *, whole: bool) -> bool | None:
    if least == most == 0:
        return False
    if limit is None:
        return None
    if most is not None and most <= limit:
        return False
    return True if whole and least is not None and least > limit else None
