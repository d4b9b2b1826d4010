"""Producers in their partitions, and whether a transaction that is open there has a coordinator that will end it."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Moment, Offset, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class ProducerTransaction(Row):
    """A producer in a partition."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number within its topic.", key=True)]
    producer_id: Annotated[int, Cell("Its producer id.", key=True)]
    start: Annotated[Offset | None, Cell("First offset of its transaction that is open here; -1 for none.", moves=True)]
    last_time: Annotated[Moment | None, Cell("Timestamp of its last record here.", moves=True)]
    transactional_id: Annotated[
        str | None, Cell("transactional.id that has this producer id now; empty if none has.", moves=True)
    ]
    orphaned: Annotated[
        bool | None, Cell("Whether a transaction is open here that no coordinator knows of: a hanging one.", moves=True)
    ]


VIEW = View(
    help="One row per partition and producer id, with the transactional id and whether a transaction hangs there.",
    row=ProducerTransaction,
    inputs={
        "producer": Input(
            "kafka_producer", columns=("topic", "partition", "producer_id", "last_time", "transaction_start")
        ),
        "transaction": Input(
            "kafka_transaction", columns=("transactional_id", "producer_id", "open", "partitions"), needs=("open",)
        ),
    },
)


def compute(*, producer: Fact, transaction: Fact) -> Observed:
    """Work it out from kafka_producer and kafka_transaction, as kafka-transactions.sh find-hanging does."""
    known: dict[int, Mapping[str, Any]] = {row["producer_id"]: row for row in transaction.rows()}
    nobody = "" if transaction.complete else None
    rows = []
    for row in producer.rows():
        of = known.get(row["producer_id"])
        rows.append(
            ProducerTransaction(
                topic=row["topic"],
                partition=row["partition"],
                producer_id=row["producer_id"],
                start=row["transaction_start"],
                last_time=row["last_time"],
                transactional_id=of["transactional_id"] if of else nobody,
                orphaned=_orphaned(row, of, whole=transaction.complete),
            )
        )
    return Observed(rows=rows)


def _orphaned(row: Mapping[str, Any], of: Mapping[str, Any] | None, *, whole: bool) -> bool | None:
    if row["transaction_start"] is None:
        return None
    if row["transaction_start"] < 0:
        return False
    if of is None:
        return True if whole else None
    partitions: Sequence[str] | None = of["partitions"]
    return None if partitions is None else f"{row['topic']}-{row['partition']}" not in partitions
