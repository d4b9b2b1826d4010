import socket
import ssl
import struct
import threading
from pathlib import Path

import pytest

from runbook.connections.tls.handshake import VERSIONS, Terms, can_offer, shake_hands
from runbook.model.errors import CannotLook, Garbled, TimedOut, Unreachable
from support.fault_servers import faulty_server
from support.tls_servers import HOST, certificates, context, serving

PATIENCE = 20.0


def met(port: int, first: str = "TLSv1", last: str = "TLSv1.3", ciphers: str = "ALL"):
    return shake_hands(HOST, port, Terms(first, last, ciphers), PATIENCE)


def test_the_newest_version_of_both_is_agreed_on_and_the_chain_is_shown(tmp_path: Path):
    with serving(context(tmp_path)) as port:
        seen = met(port)
    assert (seen.version, seen.refusal, seen.asks_certificate, seen.demands_certificate) == (
        "TLSv1.3",
        "",
        False,
        False,
    )
    [own] = certificates(tmp_path, "server")
    from cryptography.hazmat.primitives.serialization import Encoding

    assert seen.chain == (own.public_bytes(Encoding.DER),)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_version_is_accepted_or_refused_by_what_the_server_speaks(tmp_path: Path, version: str):
    accepted = {"TLSv1.2", "TLSv1.3"}
    with serving(context(tmp_path)) as port:
        seen = met(port, version, version)
    assert seen.version == (version if version in accepted else "")
    assert bool(seen.refusal) == (version not in accepted)


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_can_be_offered_by_the_library_that_is_installed(version: str):
    assert can_offer(Terms(version, version))


def test_what_the_library_can_not_offer_is_known_before_anybody_is_asked():
    assert not can_offer(Terms("TLSv1", "TLSv1.2", "NONE"))


def test_old_versions_are_found_where_they_are_open(tmp_path: Path):
    with serving(context(tmp_path, first=ssl.TLSVersion.TLSv1)) as port:
        assert met(port, "TLSv1", "TLSv1").version == "TLSv1"
        assert met(port, "TLSv1.1", "TLSv1.1").version == "TLSv1.1"


def test_ciphers_are_refused_unless_the_server_has_one_of_them(tmp_path: Path):
    with serving(context(tmp_path)) as port:
        assert "handshake failure" in met(port, "TLSv1", "TLSv1.2", "aNULL").refusal
    weak = context(tmp_path, last=ssl.TLSVersion.TLSv1_2, ciphers="aNULL")
    with serving(weak) as port:
        assert met(port, "TLSv1.2", "TLSv1.2", "aNULL").cipher.startswith(("ADH", "AECDH"))


@pytest.mark.parametrize("version", ["TLSv1.2", "TLSv1.3"])
@pytest.mark.parametrize(
    ("clients", "asks", "demands"),
    [(ssl.CERT_NONE, False, False), (ssl.CERT_OPTIONAL, True, False), (ssl.CERT_REQUIRED, True, True)],
)
def test_a_certificate_is_wanted_or_not(
    tmp_path: Path, version: str, *, clients: ssl.VerifyMode, asks: bool, demands: bool
):
    with serving(context(tmp_path, clients=clients)) as port:
        seen = met(port, version, version)
    assert (seen.version, bool(seen.chain)) == (version, True)
    assert (seen.asks_certificate, seen.demands_certificate) == (asks, demands)


def silent_after_handshake(listener: socket.socket, tls: ssl.SSLContext) -> None:
    tls.num_tickets = 0
    plain, _ = listener.accept()
    with plain, tls.wrap_socket(plain, server_side=True) as talk:
        talk.settimeout(PATIENCE)
        talk.recv(1)


def test_a_server_that_asked_and_then_keeps_silent_has_not_said_whether_it_demands(tmp_path: Path):
    tls = context(tmp_path, first=ssl.TLSVersion.TLSv1_3, clients=ssl.CERT_OPTIONAL)
    with socket.create_server((HOST, 0)) as listener:
        threading.Thread(target=silent_after_handshake, args=(listener, tls), daemon=True).start()
        seen = shake_hands(HOST, listener.getsockname()[1], Terms(), 2.0)
    assert (seen.version, seen.asks_certificate, seen.demands_certificate) == ("TLSv1.3", True, None)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("refused", Unreachable),
        ("black hole", TimedOut),
        ("closed at once", Unreachable),
        ("garbage", Garbled),
        ("another protocol", Garbled),
    ],
)
def test_what_is_no_handshake_is_said_so(fault: str, kind: type[CannotLook]):
    with faulty_server(fault) as address, pytest.raises(kind):
        shake_hands(HOST, int(address.rpartition(":")[2]), Terms(), 1.0)


def test_a_handshake_that_drips_has_no_more_time_than_it_is_given():
    with socket.create_server((HOST, 0)) as listener:

        def drip() -> None:
            plain, _ = listener.accept()
            with plain:
                plain.recv(65536)
                plain.sendall(b"\x16\x03\x03" + struct.pack(">H", 8000))
                stop.wait(PATIENCE)

        stop = threading.Event()
        threading.Thread(target=drip, daemon=True).start()
        with pytest.raises(TimedOut):
            shake_hands(HOST, listener.getsockname()[1], Terms(), 0.5)
        stop.set()


def test_a_name_that_does_not_resolve_is_said_so():
    with pytest.raises(Unreachable, match="its name does not resolve"):
        shake_hands("no-such-host.invalid", 9093, Terms(), PATIENCE)
