"""The two client libraries behind a cluster's reader, and the memory in which every answer is kept.

confluent-kafka comes first; kafka-python supplies what librdkafka lacks (fenced brokers, log directories, quorum,
features, reassignments, eligible leaders) and what must go to a broker that is known to be alive. Where the settings
can't be translated for kafka-python, that part alone is lost.
"""

from collections.abc import Sequence

from runbook.answers.kafka.errors import BadCertificate, would_recur
from runbook.connections._memory import Memory
from runbook.connections.kafka import topics
from runbook.connections.kafka.confluent_client import ConfluentClient
from runbook.connections.kafka.listener_protocol import SpeaksOtherwise
from runbook.connections.kafka.records import Allowance
from runbook.connections.kafka.timed_client import TimedClient
from runbook.model.errors import CannotLook, Denied, Misconfigured
from runbook.model.probe import Deadline
from runbook.recording.pool import Pool

_BROKERS_AT_ONCE = 64


class Clients:
    """Both clients of one cluster: the second is started when it is first asked, or left alone for good."""

    def __init__(
        self,
        confluent: ConfluentClient,
        python: TimedClient | Misconfigured,
        may_read: Sequence[str] = (),
    ) -> None:
        """Read through both clients, or through the first alone where the settings keep the second out."""
        self._confluent = confluent
        self._python = python
        self._loses_requests = False
        self.allowance = Allowance(may_read, topics.INTERNAL_TOPICS)
        self._memory = Memory()
        self._pool = Pool(_BROKERS_AT_ONCE, thread_name_prefix="kafka")

    @property
    def clock(self) -> Deadline:
        """The time for all that is asked."""
        return self._confluent.clock

    def close(self) -> None:
        """Close all connections."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._confluent.close()
        if isinstance(self._python, TimedClient):
            self._python.close()

    def _python_or_none(self) -> TimedClient | None:
        """Return kafka-python's client, started, or None where it can't be used and librdkafka must do."""
        return self._memory.once("start", self._start)

    def _python_or_raise(self) -> TimedClient:
        client = self._python_or_none()
        if client is None:
            raise Misconfigured(str(self._python))
        return client

    def _start(self) -> TimedClient | None:
        if isinstance(self._python, Misconfigured):
            self._confluent.keep_to_one()
            return None
        try:
            self._python.start()
        except CannotLook as error:
            if self._python.protocol == "PLAINTEXT" or isinstance(error, Misconfigured | SpeaksOtherwise):
                raise
            # kafka-python loses the broker's words when a refused login closes the connection; librdkafka keeps them
            reason = self._confluent.why_silent()
            if reason is not None:
                told = self._confluent.heard and not isinstance(error, BadCertificate)  # of that kafka-python knows why
                raise reason if isinstance(reason, Denied) or told else error from None
            self._python.close()
            # One library was answered where the other was left in silence or cut off: so it is with what gets lost.
            self._loses_requests = not would_recur(error)
            self._python = Misconfigured(f"kafka-python can't connect where librdkafka can: {error}")
            self._confluent.keep_to_one()
            return None
        self._confluent.keep_to(self._python.servers, self._python.cluster_id)
        if stranger := self._python.stranger():
            self._confluent.leave(stranger)
        return self._python
