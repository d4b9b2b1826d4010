"""The clients behind a connection, for what asks the same thing twice or about each partition at a time of its own.

The reader makes every request once for each connection, and has no method for these. It is to get them with the next
change that makes the kept evidence of Kafka anew (decision 13): until then this is the one place that reaches past it.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import Any, TypeVar

from runbook.connections.kafka.answers import Broker
from runbook.connections.kafka.confluent_client import ConfluentClient
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.connections.kafka.reader import Kafka
from runbook.model.probe import Clock

T = TypeVar("T")


class ClientsBehind:
    """Both clients of a connection, its threads and its memory."""

    def __init__(self, kafka: Kafka) -> None:
        """Look behind a connection; nothing is sent."""
        self._kafka = kafka

    @property
    def python(self) -> KafkaPythonClient:
        """kafka-python's client, started.

        Raises:
            CannotLook: it can't be used with these settings, or finds no cluster.
        """
        return self._kafka._python_or_raise()  # noqa: SLF001 - see this module's docstring

    @property
    def confluent(self) -> ConfluentClient:
        """The client of librdkafka."""
        return self._kafka._confluent  # noqa: SLF001 - same

    @property
    def admin(self) -> Any:
        """The admin client of librdkafka itself."""
        return self.confluent._client  # noqa: SLF001 - same

    @property
    def clock(self) -> Clock:
        """The time for all that is asked."""
        return self.confluent.clock

    @property
    def pool(self) -> Executor:
        """The connection's threads."""
        return self._kafka._pool  # noqa: SLF001 - same

    def brokers(self) -> Mapping[int, Broker]:
        """The brokers by number."""
        return {broker.id: broker for broker in self._kafka.brokers()}

    def once(self, question: str, ask: Callable[[], T]) -> T:
        """The answer to a question that is asked once for each connection, whoever wants it."""
        return self._kafka._memory.once(question, ask)  # noqa: SLF001 - same
