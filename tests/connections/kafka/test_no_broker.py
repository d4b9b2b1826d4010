"""What answers at an address where no broker does, said by the servers themselves."""

import socket
from pathlib import Path

import pytest

from kafka_lab import LabState
from runbook.connections.kafka import connect
from runbook.connections.kafka.no_broker import others_than_brokers
from runbook.model.errors import Unreachable
from runbook.model.probe import Clock
from support.fault_servers import FAULTS, faulty_server
from support.http_servers import Answer, http_server
from support.kafka_libraries import BY_LIBRARY
from support.ssh_server import running_sshd


def refusal(address: str, **more: str) -> str:
    """Why the cluster behind an address can't be asked."""
    kafka = connect({"bootstrap.servers": address, **more}, Clock(5.0))
    try:
        with pytest.raises(Unreachable) as caught:
            kafka.cluster()
    finally:
        kafka.close()
    return str(caught.value)


@BY_LIBRARY
def test_a_web_server_is_called_one(more: dict[str, str]):
    with http_server(lambda _: Answer(b"")) as (address, _):
        assert refusal(address, **more).startswith(f"{address} speaks HTTP")


def test_a_server_that_waits_for_the_end_of_a_line_is_told_while_it_waits(monkeypatch: pytest.MonkeyPatch):
    def waits(peer: socket.socket) -> None:
        heard = b""
        while not heard.endswith(b"\r\n\r\n") and (more := peer.recv(100)):
            heard += more
        peer.sendall(b"HTTP/1.0 400 Bad request\r\n\r\n")

    monkeypatch.setitem(FAULTS, "waits", lambda _: waits)
    with faulty_server("waits") as address:
        # nothing ends by itself in the time of a test
        kafka = connect({"bootstrap.servers": address}, Clock(250.0, patience=250.0))
        try:
            with pytest.raises(Unreachable, match="speaks HTTP"):
                kafka.cluster()
        finally:
            kafka.close()


def test_an_ssh_server_is_called_one(tmp_path: Path):
    with running_sshd(tmp_path) as server:
        assert refusal(f"127.0.0.1:{server.port}").startswith(f"127.0.0.1:{server.port} speaks SSH")


def test_of_a_listener_with_tls_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch):
    def alert(peer: socket.socket) -> None:
        peer.recv(100)
        peer.sendall(b"\x15\x03\x03\x00\x02\x02P")  # recorded of a listener of Kafka 4.3 with SASL_SSL

    monkeypatch.setitem(FAULTS, "an alert", lambda _: alert)
    with faulty_server("an alert") as address:
        assert refusal(address) == f"{address} takes TLS only: set security.protocol to SSL or SASL_SSL"


@BY_LIBRARY
@pytest.mark.live
def test_the_port_of_a_controller_is_called_one(healthy_lab: LabState, more: dict[str, str]):
    address = f"127.0.0.1:{healthy_lab.brokers[0].controller_port}"
    assert refusal(address, **more).startswith(f"{address} is the port of a KRaft controller")


@pytest.mark.live
def test_a_broker_is_not_called_anything_else(healthy_lab: LabState):
    assert others_than_brokers([broker.address for broker in healthy_lab.brokers], 5.0) == {}


@pytest.mark.parametrize("fault", sorted({"refused", *FAULTS} - {"another protocol"}))
def test_what_can_not_be_told_is_not_told(fault: str):
    with faulty_server(fault) as address:
        assert others_than_brokers([address], 5.0) == {}
