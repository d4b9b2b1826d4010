"""What brokers ask clients to measure."""

from runbook.connections.kafka.reader.clients import Clients
from runbook.connections.kafka.subscriptions import Subscriptions, list_subscriptions


class ClientMetrics(Clients):
    """Subscriptions to the metrics of clients."""

    def subscriptions(self) -> Subscriptions | None:
        """Return all subscriptions; None where brokers are older than these (Kafka 3.7)."""
        return self._memory.once("subscriptions", lambda: list_subscriptions(self._python_or_raise()))
