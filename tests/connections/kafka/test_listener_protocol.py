"""What answers at an address where no broker does, said by the servers themselves."""

import re
import socket
import ssl
from pathlib import Path

import pytest

from kafka_lab import LabState
from runbook.connections.kafka import connect
from runbook.connections.kafka.listener_protocol import others_than_ours
from runbook.model.errors import Unreachable
from runbook.model.probe import Deadline
from support.fault_servers import FAULTS, faulty_server
from support.http_servers import Answer, http_server
from support.kafka_libraries import BY_LIBRARY
from support.recorded_listeners import ALERT, GUARDED, GUARDED_IN_PLAIN_TEXT, MUTUAL, OPEN, STRANGE, listening, offering
from support.ssh_server import running_sshd
from support.tls_servers import HOST, context


def refusal(address: str, **more: str) -> str:
    """Why the cluster behind an address can't be asked."""
    kafka = connect({"bootstrap.servers": address, **more}, Deadline(5.0))
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
        kafka = connect({"bootstrap.servers": address}, Deadline(250.0, patience=250.0))
        try:
            with pytest.raises(Unreachable, match="speaks HTTP"):
                kafka.cluster()
        finally:
            kafka.close()


def test_an_ssh_server_is_called_one(tmp_path: Path):
    with running_sshd(tmp_path) as server:
        assert refusal(f"127.0.0.1:{server.port}").startswith(f"127.0.0.1:{server.port} speaks SSH")


LISTENERS: dict[str, tuple[dict[str, str], bool, ssl.VerifyMode]] = {
    "PLAINTEXT": (OPEN, False, ssl.CERT_NONE),
    "SASL_PLAINTEXT": (GUARDED_IN_PLAIN_TEXT, False, ssl.CERT_NONE),
    "SSL": ({f"{name} in TLS": answer for name, answer in OPEN.items()} | ALERT, True, ssl.CERT_NONE),
    "SSL with certificates": (MUTUAL, True, ssl.CERT_REQUIRED),
    "SASL_SSL": (GUARDED, True, ssl.CERT_NONE),
}
"""A listener's answers, whether they come in TLS, and whether that wants a certificate of the client."""

LOGIN = "sasl.mechanism to SCRAM-SHA-512, and the user's name and password"
SET = "set security.protocol to"
OR_TLS = f"name the port of a listener with TLS, or {SET}"
EXPECTED = {
    ("PLAINTEXT", "PLAINTEXT"): "",
    ("PLAINTEXT", "SASL_PLAINTEXT"): f"wants a login: {SET} SASL_PLAINTEXT, {LOGIN}",
    ("PLAINTEXT", "SSL"): f"takes TLS only: {SET} SSL",
    ("PLAINTEXT", "SSL with certificates"): f"takes TLS only: {SET} SSL or SASL_SSL",
    ("PLAINTEXT", "SASL_SSL"): f"takes TLS only and wants a login: {SET} SASL_SSL, {LOGIN}",
    ("SASL_PLAINTEXT", "PLAINTEXT"): f"has no login: {SET} PLAINTEXT",
    ("SASL_PLAINTEXT", "SASL_PLAINTEXT"): "",
    ("SASL_PLAINTEXT", "SSL"): f"takes TLS only and has no login: {SET} SSL",
    ("SASL_PLAINTEXT", "SSL with certificates"): f"takes TLS only: {SET} SSL or SASL_SSL",
    ("SASL_PLAINTEXT", "SASL_SSL"): f"takes TLS only: {SET} SASL_SSL",
    ("SSL", "PLAINTEXT"): f"takes no TLS: {OR_TLS} PLAINTEXT",
    ("SSL", "SASL_PLAINTEXT"): f"takes no TLS and wants a login: {SET} SASL_PLAINTEXT, {LOGIN}",
    ("SSL", "SSL"): "",
    ("SSL", "SSL with certificates"): "",
    ("SSL", "SASL_SSL"): f"wants a login: {SET} SASL_SSL, {LOGIN}",
    ("SASL_SSL", "PLAINTEXT"): f"takes no TLS and has no login: {OR_TLS} PLAINTEXT",
    ("SASL_SSL", "SASL_PLAINTEXT"): f"takes no TLS: {OR_TLS} SASL_PLAINTEXT",
    ("SASL_SSL", "SSL"): f"has no login: {SET} SSL",
    ("SASL_SSL", "SSL with certificates"): "",
    ("SASL_SSL", "SASL_SSL"): "",
}
"""Our protocol and the listener's → what is told."""


@pytest.mark.parametrize(("ours", "its"), EXPECTED)
def test_of_a_listener_of_another_protocol_the_remedy_is_named(ours: str, its: str, tmp_path: Path):
    answers, encrypted, clients = LISTENERS[its]
    with listening(answers, context(tmp_path, clients=clients) if encrypted else None) as (port, _):
        found = others_than_ours([f"{HOST}:{port}"], ours, 20.0)
    expected = EXPECTED[ours, its]
    assert {address: str(why) for address, why in found.items()} == (
        {f"{HOST}:{port}": f"{HOST}:{port} {expected}"} if expected else {}
    )


def test_the_page_of_inventories_has_each_difference():
    page = Path("docs/how-to/inventory.md").read_text("utf-8").partition("\n## A cluster does not let you in\n")[2]
    told = {part for expected in EXPECTED.values() if expected for part in expected.partition(":")[0].split(" and ")}
    assert told == {
        part for part in re.findall("`([^`]+)`", page) if part.startswith(("takes", "wants a login", "has"))
    }


def test_a_login_without_a_password_is_not_said_to_want_one():
    with listening(OPEN | {STRANGE: offering("AWS_MSK_IAM")}) as (port, _):
        found = others_than_ours([f"{HOST}:{port}"], "PLAINTEXT", 20.0)
    assert str(found[f"{HOST}:{port}"]).endswith("sasl.mechanism to AWS_MSK_IAM, and what that login needs")


@BY_LIBRARY
@pytest.mark.live
def test_the_port_of_a_controller_is_called_one(healthy_lab: LabState, more: dict[str, str]):
    address = f"127.0.0.1:{healthy_lab.brokers[0].controller_port}"
    assert refusal(address, **more).startswith(f"{address} is the port of a KRaft controller")


@pytest.mark.live
def test_a_broker_is_not_called_anything_else(healthy_lab: LabState):
    assert others_than_ours([broker.address for broker in healthy_lab.brokers], "PLAINTEXT", 5.0) == {}


@pytest.mark.parametrize("protocol", ["PLAINTEXT", "SASL_SSL"])
@pytest.mark.parametrize("fault", sorted({"refused", *FAULTS} - {"another protocol"}))
def test_what_can_not_be_told_is_not_told(fault: str, protocol: str):
    with faulty_server(fault) as address:
        assert others_than_ours([address], protocol, 5.0) == {}
