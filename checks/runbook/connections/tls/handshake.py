"""One TLS handshake by OpenSSL, under terms that we choose, over a connection that ends with it."""

import socket
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from typing import Any, Final

from msgspec import Struct

from runbook.connections.tls.errors import explained
from runbook.formats.addresses import is_address
from runbook.model.errors import Garbled, TimedOut, Unreachable

VERSIONS: Final = ("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3")
"""The versions of the protocol that are tried, as Kafka and Java call them."""

_CHUNK: Final = 1 << 16
_REQUEST: Final = b"read server certificate request"
_ALL: Final = "ALL:COMPLEMENTOFALL"


class Terms(Struct, frozen=True):
    """What is offered to the server: a range of versions, and ciphers up to TLS 1.2 in OpenSSL's words."""

    first: str = VERSIONS[0]
    last: str = VERSIONS[-1]
    ciphers: str = _ALL


class Met(Struct, frozen=True):
    """What came of a handshake.

    Attributes:
        version: agreed on; "" where the server refused our terms.
        cipher: agreed on, in OpenSSL's words.
        chain: the certificates that the server showed, each in DER, its own first.
        asks_certificate: whether it asked for a certificate of ours; we have none.
        demands_certificate: whether it ended the handshake because we have none; None where that did not show.
        refusal: the alert with which it refused.
    """

    version: str = ""
    cipher: str = ""
    chain: tuple[bytes, ...] = ()
    asks_certificate: bool = False
    demands_certificate: bool | None = False
    refusal: str = ""


def shake_hands(host: str, port: int, terms: Terms, patience: float) -> Met:
    """Try one handshake. Nothing is verified: whom the server is, is judged from what it shows.

    Args:
        host: name or address; a name is told to the server, which may choose its certificate by it.
        port: its port.
        terms: what is offered.
        patience: seconds for everything.

    Raises:
        CannotLook: it does not answer, or not in TLS.
    """
    end = time.monotonic() + patience
    session = _session(host, terms)
    try:
        with closing(socket.create_connection((host, port), timeout=patience)) as plain:
            return _Talk(plain, session, end).met()
    except OSError as error:
        raise explained(error) from error


def can_offer(terms: Terms) -> bool:
    """Whether this machine's library can make such an offer at all; else nothing is learned from a refusal."""
    from OpenSSL import SSL

    try:
        _session("", terms).do_handshake()
    except SSL.WantReadError:  # it wrote its offer, and waits for an answer
        return True
    except SSL.Error:
        return False
    return True


def _session(host: str, terms: Terms) -> Any:
    """A client's side of a session. Level 0 lets old versions and weak ciphers be offered."""
    from OpenSSL import SSL

    numbers = (SSL.TLS1_VERSION, SSL.TLS1_1_VERSION, SSL.TLS1_2_VERSION, SSL.TLS1_3_VERSION)
    by_name = dict(zip(VERSIONS, numbers, strict=True))
    context = SSL.Context(SSL.TLS_CLIENT_METHOD)
    context.set_min_proto_version(by_name[terms.first])
    context.set_max_proto_version(by_name[terms.last])
    context.set_cipher_list(f"{terms.ciphers}:@SECLEVEL=0".encode())
    context.set_verify(SSL.VERIFY_NONE)
    context.set_options(SSL.OP_LEGACY_SERVER_CONNECT)
    context.set_info_callback(_note)
    session = SSL.Connection(context, None)
    session.set_app_data(set())
    session.set_connect_state()
    if host and not is_address(host):
        session.set_tlsext_host_name(host.encode("idna"))
    return session


def _note(session: Any, _where: int, _done: int) -> None:
    """Note the steps of a handshake by OpenSSL's names; a certificate may be asked for without naming authorities."""
    session.get_app_data().add(session.get_state_string())


class _Talk:
    """The bytes of one handshake, carried between a session and a socket."""

    def __init__(self, plain: socket.socket, session: Any, end: float) -> None:
        self._plain = plain
        self._session = session
        self._end = end

    def met(self) -> Met:
        """Shake hands, then wait for the server's first word: TLS 1.3 lets it object after the handshake."""
        from OpenSSL import SSL

        refusal: str | None = self._refused(self._session.do_handshake)
        if not refusal and self._session.get_protocol_version() == SSL.TLS1_3_VERSION:
            refusal = self._objection()
        chain = self._chain()
        if refusal and not chain:
            return Met(refusal=refusal)
        asks = self._asked() or bool(refusal)
        demands = None if refusal is None else bool(refusal)
        version = str(self._session.get_protocol_version_name())
        cipher = str(self._session.get_cipher_name() or "")
        return Met(version, cipher, chain, asks, demands, refusal or "")

    def _objection(self) -> str | None:
        """An alert after the handshake, "" if the server goes on, None if it does neither."""
        try:
            return self._refused(lambda: self._session.recv(1), once=True)
        except (TimeoutError, TimedOut):
            return None if self._asked() else ""
        except (OSError, Unreachable):
            return None

    def _asked(self) -> bool:
        return any(_REQUEST in step for step in self._session.get_app_data())

    def _refused(self, step: Any, *, once: bool = False) -> str:
        """Carry bytes until a step is done; gives the alert with which the server ended it, or "".

        Raises:
            CannotLook: it stopped answering, or what it answers is not TLS.
        """
        from OpenSSL import SSL

        received = False
        while True:
            try:
                step()
            except SSL.WantReadError:
                self._send()
            except SSL.ZeroReturnError:
                return ""
            except SSL.Error as error:
                self._send()
                reason = str(error.args[0][0][2]) if error.args and error.args[0] else ""
                if "alert" in reason:
                    return reason
                raise Garbled(f"does not answer in TLS: {reason or 'no reason given'}") from error
            else:
                self._send()
                return ""
            if once and received:
                return ""
            self._session.bio_write(self._receive())
            received = True

    def _send(self) -> None:
        from OpenSSL import SSL

        with suppress(SSL.WantReadError):
            while encrypted := self._session.bio_read(_CHUNK):
                self._plain.settimeout(self._left())
                self._plain.sendall(encrypted)

    def _receive(self) -> bytes:
        self._plain.settimeout(self._left())
        received = self._plain.recv(_CHUNK)
        if not received:
            raise Unreachable("closed the connection in the middle of a handshake: is it TLS?")
        return received

    def _left(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimedOut("did not answer in its time")
        return left

    def _chain(self) -> tuple[bytes, ...]:
        from cryptography.hazmat.primitives.serialization import Encoding

        shown: Sequence[Any] = self._session.get_peer_cert_chain(as_cryptography=True) or ()
        return tuple(certificate.public_bytes(Encoding.DER) for certificate in shown)
