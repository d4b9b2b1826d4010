from types import SimpleNamespace
from typing import Any

from runbook.answers.kafka import TopicPartition
from runbook.answers.kafka.writers import Transaction
from runbook.model.fact import Gap
from runbook.probes.kafka_transaction import observe


def kafka(*transactions: Transaction, gaps: list[Gap] | None = None) -> Any:
    return SimpleNamespace(transactions=lambda: ([*transactions], gaps or []))


def transaction(state: str, **told: Any) -> Transaction:
    return Transaction(id="payer", producer_id=7, state=state, coordinator=2, **told)


def test_an_open_transaction_tells_since_when_and_where() -> None:
    places = (TopicPartition("orders", 0), TopicPartition("orders", 3))
    told = observe(kafka(transaction("PrepareAbort", timeout_ms=60000, started=0, partitions=places)))
    [row] = told.rows
    assert (row.transactional_id, row.producer_id, row.coordinator, row.state) == ("payer", 7, 2, "PrepareAbort")
    assert (row.open, row.since, row.timeout, row.partitions) == (
        True,
        "1970-01-01T00:00:00.000Z",
        60000,
        ["orders-0", "orders-3"],
    )
    assert told.gaps == []


def test_what_is_over_has_no_time_and_no_partitions() -> None:
    rows = observe(kafka(transaction("CompleteCommit"), transaction("Empty"))).rows
    assert [(row.open, row.since, row.timeout, row.partitions) for row in rows] == [(False, None, None, [])] * 2


def test_a_transaction_that_was_not_described_is_a_gap() -> None:
    told = observe(kafka(transaction("Ongoing"), gaps=[Gap("broker 3 did not answer")]))
    assert [row.partitions for row in told.rows] == [None]
    assert [gap.reason for gap in told.gaps] == [
        "broker 3 did not answer",
        "the transaction of payer was not described",
    ]
