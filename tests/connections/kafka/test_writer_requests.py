"""Requests about who writes: answers that a Kafka 4.3 gave, as bytes, and what is made of them."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from runbook.answers.kafka import Broker, TopicPartition
from runbook.answers.kafka.writers import Transaction, Writer
from runbook.connections.kafka.writer_requests import describe_producers, hidden_transactions, list_transactions
from runbook.model.errors import Denied
from runbook.model.gap_kind import GapKind
from runbook.model.quantity import BrokerId, PartitionNumber

BROKER = Broker(id=BrokerId(1), host="kafka-1", port=9092, rack="", fenced=False)
LISTED = "00000000000001020870617965722d3100000000000003e9084f6e676f696e670000"
DESCRIBED = (
    "000000000300000870617965722d31084f6e676f696e670000ea60000001a228802af400000000000003e9000202097061796d656e747302"
    "0000000000000010076e6f626f64790100000000000000000000000000000000000000000000010000"
)
OVER = (
    "00000000000001030c6f726465722d656e74727900000000000000000f436f6d706c657465436f6d6d6974000870617965722d320000000000"
)
OVER += "0000010f436f6d706c657465436f6d6d69740000"


class Answers:
    """Stands where kafka-python's client does."""

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self.answers = answers
        self.asked: list[Any] = []

    def ask(self, node: int, label: str, request: Any) -> Any:
        """As the client does."""
        assert (node, label) == (1, "broker 1 (kafka-1:9092)")
        self.asked.append(request)
        return self.answers[type(request).__name__.partition("_")[0]]

    def ask_any(self, build: Any) -> Any:
        """As the client does."""
        return self.ask(1, "broker 1 (kafka-1:9092)", build())


def answer(name: str, data: str, version: int = 0) -> Any:
    from kafka.protocol.admin import transactions

    return getattr(transactions, name).decode(bytes.fromhex(data), version=version)


def test_an_open_transaction_is_described_and_its_place_known() -> None:
    client = Answers(
        {
            "ListTransactionsRequest": answer("ListTransactionsResponse", LISTED, 2),
            "DescribeTransactionsRequest": answer("DescribeTransactionsResponse", DESCRIBED),
        }
    )
    assert list_transactions(client, BROKER) == [  # type: ignore[arg-type]
        Transaction(
            id="payer-1",
            producer_id=1001,
            state="Ongoing",
            coordinator=BrokerId(1),
            timeout_ms=60000,
            started=1795975817972,
            partitions=(TopicPartition("payments", PartitionNumber(0)),),
        )
    ]
    assert client.asked[1].transactional_ids == ["payer-1"]


def test_what_is_over_is_not_asked_about() -> None:
    client = Answers({"ListTransactionsRequest": answer("ListTransactionsResponse", OVER, 2)})
    found = list_transactions(client, BROKER)  # type: ignore[arg-type]
    assert [(one.id, one.state, one.started) for one in found] == [
        ("order-entry", "CompleteCommit", None),
        ("payer-2", "CompleteCommit", None),
    ]


@pytest.mark.parametrize(("code", "hidden"), [(16, False), (105, False), (53, True)])
def test_a_refusal_alone_proves_that_ids_may_be_hidden(code: int, *, hidden: bool) -> None:
    states = [SimpleNamespace(error_code=code)]
    client = Answers({"DescribeTransactionsRequest": SimpleNamespace(transaction_states=states)})
    gaps = hidden_transactions(client, "unused")  # type: ignore[arg-type]
    assert [(gap.kind, gap.right) for gap in gaps] == (
        [(GapKind.DENIED, "Describe on all transactional ids")] if hidden else []
    )


def test_a_leader_tells_its_producers_or_why_not() -> None:
    known = SimpleNamespace(
        producer_id=7, producer_epoch=2, last_sequence=9, last_timestamp=1000, current_txn_start_offset=21
    )
    partitions = [
        SimpleNamespace(partition_index=0, error_code=0, active_producers=[known]),
        SimpleNamespace(partition_index=1, error_code=0, active_producers=[]),
        SimpleNamespace(partition_index=2, error_code=29, active_producers=[]),
    ]
    topics = [SimpleNamespace(name="orders", partitions=partitions)]
    client = Answers({"DescribeProducersRequest": SimpleNamespace(topics=topics)})
    asked = [TopicPartition("orders", PartitionNumber(number)) for number in range(3)]
    found = describe_producers(client, 1, BROKER.label, asked)  # type: ignore[arg-type]
    assert found[asked[0]] == [Writer(id=7, epoch=2, sequence=9, timestamp=1000, transaction_start=21)]  # type: ignore[arg-type]
    assert found[asked[1]] == []
    refused = found[asked[2]]
    assert isinstance(refused, Denied)
    assert "Read on the topic" in str(refused)
    [request] = client.asked
    assert [(topic.name, topic.partition_indexes) for topic in request.topics] == [("orders", [0, 1, 2])]
