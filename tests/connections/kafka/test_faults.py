"""Servers that are no Kafka, or a broken one: every question ends in time, with a reason and without an answer."""

import gc
import socket
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any

import pytest

from runbook.connections.kafka import Kafka, connect
from runbook.model.errors import CannotLook, Denied, Garbled, TimedOut, Unreachable
from runbook.model.probe import Deadline
from support.busy_machine import LATE
from support.fault_servers import faulty_server
from support.kafka_libraries import LIBRDKAFKA_ALONE

DEADLINE = 3.0
KINDS: dict[str, tuple[Any, str]] = {
    "refused": (Unreachable, "connection refused"),
    "black hole": (TimedOut, "did not answer in"),
    "reset": (Unreachable, "can't be reached"),
    "closed at once": (Unreachable, "can't be reached"),
    "truncated": (Unreachable, "closed the connection"),
    "stuck in mid-answer": (TimedOut, "did not answer in"),
    # kafka-python may lose the last words of a server that closes the connection
    "garbage": (Garbled | Unreachable, "in Kafka's protocol|without a usable answer"),
    "another protocol": (Unreachable, "speaks HTTP, not Kafka's protocol"),
    "an answer of 2 GB announced": (Garbled, "in Kafka's protocol"),
}
QUESTIONS: dict[str, Callable[[Kafka], Any]] = {
    "cluster": Kafka.cluster,
    "brokers": Kafka.brokers,
    "topics": Kafka.topics,
    "topics_gaps": Kafka.topics_gaps,
    "topic_settings": Kafka.topic_settings,
    "broker_settings": Kafka.broker_settings,
    "log_dirs": Kafka.log_dirs,
    "quorum": Kafka.quorum,
    "features": Kafka.features,
    "groups": Kafka.groups,
    "reassignments": Kafka.reassignments,
}


@contextmanager
def asked(address: str, **settings: Any) -> Iterator[Kafka]:
    """A connection that is closed afterwards, with the time that all questions may take."""
    kafka = connect({"bootstrap.servers": address, **settings}, Deadline(DEADLINE))
    start = time.monotonic()
    try:
        yield kafka
    finally:
        took = time.monotonic() - start
        kafka.close()
    assert took < DEADLINE + LATE


@pytest.mark.parametrize("fault", KINDS)
def test_a_faulty_server_gives_the_same_reason_to_every_question_in_time(fault: str):
    kind, words = KINDS[fault]
    with faulty_server(fault) as address, asked(address) as kafka:
        for ask in QUESTIONS.values():
            with pytest.raises(CannotLook, match=words) as caught:
                ask(kafka)
            assert isinstance(caught.value, kind)
            assert address in str(caught.value)


def test_a_refused_connection_is_told_at_once():
    start = time.monotonic()
    with faulty_server("refused") as address, asked(address) as kafka, pytest.raises(Unreachable):
        kafka.cluster()
    assert time.monotonic() - start < DEADLINE / 2


def test_the_reasons_of_all_bootstrap_servers_are_told():
    with ExitStack() as stack:
        silent, refused = (stack.enter_context(faulty_server(fault)) for fault in ("black hole", "refused"))
        kafka = stack.enter_context(asked(f"{silent},{refused}"))
        with pytest.raises(Unreachable) as caught:
            kafka.cluster()
    assert f"{silent} did not answer" in str(caught.value)
    assert f"{refused} can't be reached: connection refused" in str(caught.value)


def test_settings_that_only_librdkafka_can_use_still_end_in_time():
    with faulty_server("black hole") as address, asked(address, **LIBRDKAFKA_ALONE) as kafka:
        with pytest.raises(CannotLook, match="did not answer"):
            kafka.topics()
        with pytest.raises(CannotLook, match=r"ssl\.curves\.list has no equal"):
            kafka.log_dirs()


def test_a_server_without_tls_is_told_as_such_where_tls_was_meant_and_leaves_no_socket_to_the_garbage_collector():
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", ResourceWarning)
        with (
            faulty_server("another protocol") as address,
            asked(address, **{"security.protocol": "SSL"}) as kafka,
            pytest.raises(Unreachable, match="speaks HTTP"),
        ):
            kafka.cluster()
        gc.collect()
    assert [str(warning.message) for warning in warned if "SSLSocket" in str(warning.message)] == []


@pytest.mark.parametrize("protocol", ["PLAINTEXT", "SSL", "SASL_SSL"])
def test_what_still_waits_for_a_server_is_hung_up_when_the_connection_is_closed(protocol: str):
    login = {"sasl.mechanism": "SCRAM-SHA-512", "sasl.username": "someone", "sasl.password": "hunter2"}
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        settings = {"security.protocol": protocol} | (login if protocol.startswith("SASL") else {})
        with asked(address, **settings) as kafka, pytest.raises(TimedOut):
            kafka.log_dirs()
        peers = list(callers(silent))
        for peer in peers:
            with peer:
                peer.settimeout(DEADLINE)
                while peer.recv(65536):
                    pass
    assert peers
    assert kafka is not None  # kept until here: it is not the garbage collector that hung up


def callers(server: socket.socket) -> Iterator[socket.socket]:
    """Everybody who has called a server that never answered."""
    server.settimeout(0)
    with suppress(BlockingIOError):
        while True:
            yield server.accept()[0]


def test_a_name_that_does_not_resolve_is_told_as_such():
    with asked("no-such-host.invalid:9092") as kafka, pytest.raises(Unreachable, match="does not resolve"):
        kafka.cluster()


def test_a_name_that_hangs_while_it_is_looked_up_holds_up_nobody(monkeypatch: pytest.MonkeyPatch):
    look_up = socket.getaddrinfo

    def slowly(host: str, *args: Any, **more: Any) -> Any:
        if host == "slow.invalid":
            time.sleep(DEADLINE)
        return look_up(host, *args, **more)

    monkeypatch.setattr(socket, "getaddrinfo", slowly)
    with (
        faulty_server("refused") as address,
        asked(f"slow.invalid:9092,{address}") as kafka,
        pytest.raises(Unreachable, match="connection refused"),
    ):
        kafka.cluster()


def test_nothing_is_written_to_the_terminal(capfd: pytest.CaptureFixture[str]):
    with (
        faulty_server("refused") as address,
        asked(address, **LIBRDKAFKA_ALONE) as kafka,
        pytest.raises(CannotLook),
    ):
        kafka.topics()
    with faulty_server("garbage") as address, asked(address) as kafka, pytest.raises(CannotLook):
        kafka.topics()
    assert capfd.readouterr() == ("", "")


def test_hanging_up_during_a_login_is_no_refusal_and_tells_no_password():
    login = {
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "PLAIN",
        "sasl.username": "someone",
        "sasl.password": "hunter2-hunter2",
    }
    with (
        faulty_server("closed at once") as address,
        asked(address, **login) as kafka,
        pytest.raises(CannotLook) as caught,
    ):
        kafka.cluster()
    assert not isinstance(caught.value, Denied)
    assert "hunter2" not in str(caught.value)
