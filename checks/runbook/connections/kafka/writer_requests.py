"""Requests about who writes, made through kafka-python (KIP-664, Kafka 3.0). None of them reads a record."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from runbook.answers.kafka import Broker, TopicPartition
from runbook.answers.kafka.writers import Transaction, Writer
from runbook.connections.kafka.cluster_requests import check
from runbook.connections.kafka.errors import from_code
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.model.errors import CannotLook, Denied
from runbook.model.fact import Gap
from runbook.model.gap_kind import GapKind

OPEN: Final = frozenset({"Ongoing", "PrepareCommit", "PrepareAbort", "PrepareEpochFence"})
"""States of a transaction that has begun and not ended (TransactionState)."""


def describe_producers(
    client: KafkaPythonClient, node: int, label: str, partitions: Sequence[TopicPartition]
) -> Mapping[TopicPartition, list[Writer] | CannotLook]:
    """Ask a leader for the producers that it remembers in its partitions (DescribeProducers).

    Raises:
        CannotLook: it does not answer, or is older than Kafka 3.0.
    """
    from kafka.protocol.admin import DescribeProducersRequest

    topic_type = DescribeProducersRequest.TopicRequest
    topics: dict[str, list[int]] = {}
    for topic, partition in partitions:
        topics.setdefault(topic, []).append(partition)
    request = DescribeProducersRequest(
        topics=[topic_type(name=name, partition_indexes=numbers) for name, numbers in topics.items()]
    )
    return {
        TopicPartition(topic.name, partition.partition_index): from_code(
            partition.error_code, f"{topic.name}-{partition.partition_index}", right="Read on the topic"
        )
        if partition.error_code
        else [_writer(one) for one in partition.active_producers]
        for topic in client.ask(node, label, request).topics
        for partition in topic.partitions
    }


def _writer(one: Any) -> Writer:
    return Writer(
        id=one.producer_id,
        epoch=one.producer_epoch,
        sequence=one.last_sequence,
        timestamp=one.last_timestamp,
        transaction_start=one.current_txn_start_offset,
    )


def list_transactions(client: KafkaPythonClient, broker: Broker) -> list[Transaction]:
    """Return the transactional ids that a broker coordinates; those with an open transaction are described.

    Raises:
        CannotLook: it does not answer, or is older than Kafka 3.0.
    """
    from kafka.protocol.admin import DescribeTransactionsRequest, ListTransactionsRequest

    answer = client.ask(broker.id, broker.label, ListTransactionsRequest(state_filters=[], producer_id_filters=[]))
    check(answer.error_code, broker.label)
    listed = {
        one.transactional_id: Transaction(
            id=one.transactional_id, producer_id=one.producer_id, state=one.transaction_state, coordinator=broker.id
        )
        for one in answer.transaction_states
    }
    began = [name for name, one in listed.items() if one.state in OPEN]
    if began:
        described = client.ask(broker.id, broker.label, DescribeTransactionsRequest(transactional_ids=began))
        listed |= {
            one.transactional_id: _described(one, broker) for one in described.transaction_states if not one.error_code
        }
    return list(listed.values())


def _described(one: Any, broker: Broker) -> Transaction:
    return Transaction(
        id=one.transactional_id,
        producer_id=one.producer_id,
        state=one.transaction_state,
        coordinator=broker.id,
        timeout_ms=one.transaction_timeout_ms,
        started=one.transaction_start_time_ms,
        partitions=tuple(
            sorted(TopicPartition(topic.topic, number) for topic in one.topics for number in topic.partitions)
        ),
    )


def hidden_transactions(client: KafkaPythonClient, unused: str) -> list[Gap]:
    """Return a gap unless we may see every transactional id.

    Without Describe, Kafka leaves ids out and reports no error. So it is asked about an id that can't exist: any
    answer but a refusal proves that every name is visible to us.
    """
    from kafka.protocol.admin import DescribeTransactionsRequest

    right = "Describe on all transactional ids"
    answer = client.ask_any(lambda: DescribeTransactionsRequest(transactional_ids=[unused]))
    refused = [from_code(one.error_code, "the cluster") for one in answer.transaction_states if one.error_code]
    if any(isinstance(error, Denied) for error in refused):
        return [Gap(f"transactions may be hidden from us: we have no {right}", kind=GapKind.DENIED, right=right)]
    return []
