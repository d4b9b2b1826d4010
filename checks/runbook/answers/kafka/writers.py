"""What brokers know of who writes: producers by their ids in each partition, and transactions by theirs."""

from msgspec import Struct

from runbook.answers.kafka import TopicPartition
from runbook.model.quantity import BrokerId, Offset, Timestamp


class Writer(Struct, frozen=True, kw_only=True):
    """An idempotent or transactional producer, as the leader of a partition remembers it.

    Attributes:
        sequence: of its last record here; -1 for none.
        timestamp: of its last record here, as the record says; -1 for none.
        transaction_start: first offset of its open transaction here; -1 for none.
    """

    id: int
    epoch: int
    sequence: int
    timestamp: Timestamp
    transaction_start: Offset


class Transaction(Struct, frozen=True, kw_only=True):
    """A transactional id, as its coordinator keeps it.

    Attributes:
        state: in Kafka's words, as Ongoing.
        timeout_ms: None if it was not described.
        started: -1 if no transaction is open, None if it was not described.
        partitions: of its open transaction; None if it was not described.
    """

    id: str
    producer_id: int
    state: str
    coordinator: BrokerId
    timeout_ms: int | None = None
    started: Timestamp | None = None
    partitions: tuple[TopicPartition, ...] | None = None
