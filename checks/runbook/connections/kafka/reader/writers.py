"""Who writes: producers by partition, and transactions."""

from collections.abc import Iterable

from runbook.answers.kafka import TopicPartition
from runbook.answers.kafka.writers import Transaction, Writer
from runbook.connections.kafka import writer_requests
from runbook.connections.kafka.groups import lost_coordinators
from runbook.connections.kafka.offsets import of_each_leader
from runbook.connections.kafka.reader.topics import Topics
from runbook.model.fact import Gap

_STATE = "__transaction_state"


class Writers(Topics):
    """Producers and transactions, as brokers keep them."""

    def writers(self, names: Iterable[str]) -> tuple[dict[TopicPartition, list[Writer]], list[Gap]]:
        """Return the producers that the leaders of these topics remember, and what is not told."""
        partitions = {
            TopicPartition(name, partition.number): partition
            for name in sorted(names)
            for partition in self.topics()[name]
        }
        python = self._python_or_raise()
        return of_each_leader(
            self._pool,
            self._by_id(),
            partitions,
            lambda node, label, asked: writer_requests.describe_producers(python, node, label, asked),
            "producers",
        )

    def transactions(self) -> tuple[list[Transaction], list[Gap]]:
        """Return every transactional id in order, and what keeps the list from being proved complete."""
        python = self._python_or_raise()
        answers, silent = self.of_each_broker(lambda broker: writer_requests.list_transactions(python, broker))
        gaps = lost_coordinators(
            self.topics(), silent, complete=not self.topics_gaps(), topic=_STATE, what="transactions"
        )
        gaps += writer_requests.hidden_transactions(python, self.clock.unused_name("transactional id"))
        return sorted((one for found in answers.values() for one in found), key=lambda one: one.id), gaps
