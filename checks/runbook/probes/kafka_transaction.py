"""Transactions, as their coordinators keep them: each transactional id, and since when its transaction is open."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.kafka.stamps import written
from runbook.answers.kafka.writers import Transaction
from runbook.model.fact import Gap, Observed, distinct
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Milliseconds, Moment
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaTransaction(Row):
    """A transactional id."""

    transactional_id: Annotated[str, Cell("transactional.id of the producer.", key=True)]
    producer_id: Annotated[int, Cell("Its producer id.")]
    coordinator: Annotated[BrokerId, Cell("Broker that coordinates it.")]
    state: Annotated[str, Cell("State in Kafka's words: Empty, Ongoing, PrepareCommit, CompleteAbort, …", moves=True)]
    open: Annotated[bool, Cell("Whether a transaction has begun and not ended.", moves=True)]
    since: Annotated[Moment | None, Cell("When its open transaction began; unknown if none is open.", moves=True)]
    timeout: Annotated[
        Milliseconds | None, Cell("transaction.timeout.ms of its producer; unknown if no transaction is open.")
    ]
    partitions: Annotated[
        list[str] | None, Cell("Partitions of its open transaction, as orders-0; empty if none is open.", moves=True)
    ]


PROBE = Probe(
    connections=("kafka",),
    help="One row per transactional id.",
    row=KafkaTransaction,
    requests=(
        "ApiVersions",
        "DescribeAcls",
        "DescribeCluster",
        "DescribeTransactions",
        "ListTransactions",
        "Metadata",
    ),
    rights=(
        "Describe on all transactional ids",
        "Describe on all topics",
        "Describe on the cluster, to see that no ACL hides topics",
    ),
)

_OVER = frozenset({"Empty", "CompleteCommit", "CompleteAbort", "Dead"})


def observe(kafka: "Kafka") -> Observed:
    """Observe every transactional id; one whose open transaction was not described is a gap."""
    found, gaps = kafka.transactions()
    gaps += [
        Gap(f"the transaction of {one.id} was not described", {"transactional_id": one.id})
        for one in found
        if one.state not in _OVER and one.partitions is None
    ]
    return Observed(rows=[_row(one) for one in found], gaps=distinct(gaps))


def _row(one: Transaction) -> KafkaTransaction:
    is_open = one.state not in _OVER
    return KafkaTransaction(
        transactional_id=one.id,
        producer_id=one.producer_id,
        coordinator=one.coordinator,
        state=one.state,
        open=is_open,
        since=None if one.started is None or not is_open else written(one.started),
        timeout=None if one.timeout_ms is None else Milliseconds(one.timeout_ms),
        partitions=_partitions(one) if is_open else [],
    )


def _partitions(one: Transaction) -> list[str] | None:
    return None if one.partitions is None else [f"{place.topic}-{place.partition}" for place in one.partitions]
