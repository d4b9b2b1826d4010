"""How an address failed, in a word: each word at a real socket or by the error that gives it, for both libraries."""

import ssl
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import pytest

from runbook.answers.kafka import errors as ours
from runbook.answers.kafka.failures import FAILURES, Failure, failure
from runbook.connections.kafka import connect
from runbook.connections.kafka.broker_liveness import BrokerLiveness
from runbook.connections.kafka.properties import for_kafka_python
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.model import errors as general
from runbook.model.errors import CannotLook, Denied, Garbled, TimedOut
from runbook.model.probe import Deadline
from support.fault_servers import expired_certificate, faulty_server
from support.kafka_libraries import BY_LIBRARY

BUSY = 20.0  # seconds, of which one request gets 6: on a busy machine a handshake took more than two, as the servers
# here take turns with the clients
BY_CLASS = [
    (general.Refused, "refused"),
    (ours.HungUp, "closed"),
    (TimedOut, "timed out"),
    (ours.NoController, "timed out"),
    (general.NoName, "no such name"),
    (general.NoRoute, "no route"),
    (ours.BadCertificate, "certificate"),
    (general.NoTls, "TLS"),
    (ours.NoLogin, "credentials"),
    (ours.NotKafka, "not Kafka"),
    (ours.AnotherBroker, "another broker"),
    (ours.AnotherCluster, "another cluster"),
    (ours.SharedAddress, "shared address"),
    (ours.NotRegistered, "not registered"),
    (general.Unsupported, "another error"),
    (Garbled, "another error"),
    (Denied, "another error"),
]


@pytest.mark.parametrize(("kind", "word"), BY_CLASS)
def test_a_class_has_one_word(kind: type[CannotLook], word: Failure) -> None:
    assert failure(kind("any sentence")) == word


def test_every_word_is_given_by_some_class_and_none_stands_for_an_answer() -> None:
    assert {word for _, word in BY_CLASS} == {*FAILURES} == {*get_args(Failure)} - {""}
    assert failure(None) == ""


def test_what_was_lost_on_the_way_says_what_the_tries_came_to() -> None:
    greetings = BrokerLiveness()
    for reason, word in ((ours.HungUp("it closed"), "closed"), (TimedOut("silent"), "timed out")):
        assert failure(greetings.proved(2, reason, answered=True)) == word


AT_A_SOCKET = {
    "refused": "refused",
    "black hole": "timed out",
    "stuck in mid-answer": "timed out",
    "reset": "closed",
    "closed at once": "closed",
    "truncated": "closed",
}


@BY_LIBRARY
@pytest.mark.parametrize("fault", AT_A_SOCKET)
def test_both_libraries_say_the_same_word_of_a_server(fault: str, more: dict[str, Any]) -> None:
    with faulty_server(fault) as address:
        assert word_at(address, more) == AT_A_SOCKET[fault]


@BY_LIBRARY
def test_both_libraries_say_that_it_is_no_broker(more: dict[str, Any]) -> None:
    # librdkafka waits for the answer, kafka-python does not
    fault = "garbage" if more else "an answer of 2 GB announced"
    with faulty_server(fault) as address:
        assert word_at(address, more) == "not Kafka"


@pytest.mark.parametrize("fault", AT_A_SOCKET)
def test_how_long_a_broker_was_waited_for_is_told_that_the_cluster_does_not_list(fault: str) -> None:
    clock = Deadline(3.0)
    options = for_kafka_python({"bootstrap.servers": "127.0.0.1:1"}, clock)
    with faulty_server(fault) as address, closing(KafkaPythonClient(options, clock)) as client:
        host, _, port = address.rpartition(":")
        with pytest.raises(CannotLook) as caught:
            client.greet(7, host, int(port))
        assert failure(caught.value) == AT_A_SOCKET[fault]
        waited = client.waited(7)
        assert (client.waited(8), client.greeted_in(7)) == (None, None)
    assert waited is not None
    assert (waited > 0.5) == (AT_A_SOCKET[fault] == "timed out")


@BY_LIBRARY
def test_both_libraries_say_that_a_name_does_not_resolve(more: dict[str, Any]) -> None:
    assert word_at("no-such-host.invalid:9092", more) == "no such name"


@BY_LIBRARY
def test_both_libraries_say_that_there_is_no_tls(more: dict[str, Any]) -> None:
    with faulty_server("closed at once") as address:
        assert word_at(address, more | {"security.protocol": "SSL"}, BUSY) in {"TLS", "closed"}


@BY_LIBRARY
def test_both_libraries_say_that_a_certificate_is_not_believed(more: dict[str, Any], tmp_path: Path) -> None:
    certificate, key = expired_certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with faulty_server("expired", context) as address:
        trusted = {"security.protocol": "SSL", "ssl.ca.location": str(certificate)}
        assert word_at(address, more | trusted, BUSY) == "certificate"


def word_at(address: str, settings: dict[str, Any], seconds: float = 3.0) -> str:
    """The word for why the only bootstrap server gives nothing."""
    kafka = connect({"bootstrap.servers": address, **settings}, Deadline(seconds))
    try:
        with pytest.raises(CannotLook) as caught:
            kafka.cluster()
    finally:
        kafka.close()
    return failure(caught.value)
