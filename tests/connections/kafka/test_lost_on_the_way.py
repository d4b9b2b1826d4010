"""Where librdkafka is answered and kafka-python is not, a broker's silence proves nothing, if that can be by chance."""

from typing import Any

import pytest

from runbook.answers.kafka import Broker
from runbook.answers.kafka.errors import BadCertificate, CutInHandshake, HungUp, LostOnTheWay
from runbook.connections.kafka.reader.brokers import Brokers
from runbook.model.errors import CannotLook, Misconfigured, Refused, TimedOut, Unreachable
from runbook.model.probe import Deadline
from runbook.model.quantity import BrokerId

BROKER = Broker(id=BrokerId(2), host="127.0.0.1", port=9092, rack="", fenced=False)


class KafkaPython:
    """Finds no cluster, over TLS."""

    protocol = "SSL"

    def __init__(self, error: CannotLook) -> None:
        self.error = error

    def start(self) -> None:
        """Fail."""
        raise self.error

    def close(self) -> None:
        """Have nothing to close."""


class Librdkafka:
    """Is told the cluster, and hears nothing of a broker."""

    heard = False

    def __init__(self, error: CannotLook) -> None:
        self.error = error
        self.clock = Deadline(5)

    def why_silent(self) -> None:
        """Have been answered."""

    def keep_to_one(self) -> None:
        """Take any."""

    def greet(self, broker: Broker) -> None:
        """Fail."""
        assert broker is BROKER
        raise self.error


def silence(python: Any, broker: CannotLook) -> CannotLook | None:
    reader = Brokers(Librdkafka(broker), python)  # type: ignore[arg-type]  # stands in for it
    return reader.silence(BROKER)


@pytest.mark.parametrize("broker", [TimedOut("late"), HungUp("closed"), CutInHandshake("closed in the handshake")])
@pytest.mark.parametrize("python", [TimedOut("late"), HungUp("closed"), Unreachable("none: one late, one closed")])
def test_what_may_have_been_lost_proves_nothing(python: CannotLook, broker: CannotLook) -> None:
    found = silence(KafkaPython(python), broker)
    assert isinstance(found, LostOnTheWay)
    assert str(found) == (
        f"{broker}, but librdkafka was answered where kafka-python was not: whether it answers is not known"
    )


def test_what_is_refused_is_away() -> None:
    refused = Refused("refused")
    assert silence(KafkaPython(TimedOut("late")), refused) is refused


@pytest.mark.parametrize(
    "python", [KafkaPython(BadCertificate("expired")), Misconfigured("a setting of librdkafka only")]
)
def test_where_kafka_python_is_kept_out_for_good_silence_proves_what_it_did(python: Any) -> None:
    late = TimedOut("late")
    assert silence(python, late) is late
