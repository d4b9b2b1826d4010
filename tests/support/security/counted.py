"""Applications that log in, write and read numbered records, and keep every refusal that they meet."""

from collections.abc import Mapping
from typing import Any, Final

from confluent_kafka import KafkaError, Message, Producer

from kafka_lab import LabState
from kafka_lab.admin import settings
from support.numbered_records import TOPIC, Ledger, Reader, Writer

_REFUSALS: Final = frozenset(
    {
        KafkaError._AUTHENTICATION,
        KafkaError._SSL,
        KafkaError.SASL_AUTHENTICATION_FAILED,
        KafkaError.TOPIC_AUTHORIZATION_FAILED,
        KafkaError.GROUP_AUTHORIZATION_FAILED,
        KafkaError.CLUSTER_AUTHORIZATION_FAILED,
    }
)
"""What a client is told that is not let in, does not trust the broker, or may not do what it wants."""

_CUT_OFF = ": Local: "
"""In what librdkafka says of a login that no broker refused: who would have answered was killed meanwhile."""


class RefusalsToo(Ledger):
    """What was acknowledged and worked on, and each refusal that a client met."""

    def __init__(self) -> None:
        """Nothing yet."""
        super().__init__()
        self.refusals: list[str] = []

    def note(self, error: KafkaError) -> None:
        """Keep what a client was told, if it is a refusal."""
        if error.code() in _REFUSALS and _CUT_OFF not in error.str():
            self.refusals.append(error.str())


class LoggedInWriter(Writer):
    """The writer of numbered records, reached by other settings than the lab's own."""

    def __init__(self, ledger: RefusalsToo, lab: LabState, reached: Mapping[str, Any]) -> None:
        """Write to this lab."""
        super().__init__(ledger, lab)
        self._refusals = ledger
        safe = {"acks": "all", "enable.idempotence": True, "message.timeout.ms": 30_000, "error_cb": ledger.note}
        self._producer = Producer(settings(lab) | safe | dict(reached))

    def _delivered(self, error: KafkaError | None, record: Message) -> None:
        super()._delivered(error, record)
        if error is not None:
            self._refusals.note(error)


class LoggedInReader(Reader):
    """The reader of numbered records, reached by other settings than the lab's own."""

    def __init__(self, ledger: RefusalsToo, lab: LabState, reached: Mapping[str, Any]) -> None:
        """Read at this lab."""
        self._refusals = ledger
        # From the beginning: what is written before the group has its first position counts too.
        own = {"auto.offset.reset": "earliest", "error_cb": ledger.note}
        super().__init__(ledger, lab, f"^{TOPIC}$", own | dict(reached))

    def _note_error(self, error: KafkaError) -> None:
        self._refusals.note(error)
