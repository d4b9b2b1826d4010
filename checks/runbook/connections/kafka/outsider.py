"""What a listener gives to somebody without credentials: the Kafka protocol over sockets of our own, no client between.

ApiVersions, SaslHandshake, SaslAuthenticate with a made-up user, and Metadata of no topic are all that is sent.
"""

import base64
import secrets
import socket
import ssl
import time
from contextlib import closing
from typing import Any, Final

from msgspec import Struct

from runbook.connections._address import host_port
from runbook.connections.kafka.errors import from_kafka_python
from runbook.model.errors import Garbled, TimedOut
from runbook.model.probe import Clock

REFUSED, ACCEPTED, NOT_TRIED = "refused", "accepted", ""

_CHUNK: Final = 1 << 16
_AUTHENTICATION_FAILED, _UNSUPPORTED_MECHANISM, _ILLEGAL_STATE = 58, 33, 34  # error codes of Kafka's protocol
_PASSWORDS: Final = ("PLAIN", "SCRAM-SHA-512", "SCRAM-SHA-256")
"""Mechanisms that take a user's name and password, in the order in which one is tried."""


class AnonymousAccess(Struct, frozen=True):
    """What an outsider met at a listener.

    Attributes:
        plain: whether it answers in plain text.
        anonymous: whether it serves who has neither a login nor a certificate.
        mechanisms: of SASL, that it offers.
        tried: the mechanism by which a made-up user tried to come in, "" if none takes a password.
        wrong_login: what became of that: refused, accepted, or "" if it was not tried.
    """

    plain: bool
    anonymous: bool
    mechanisms: tuple[str, ...]
    tried: str
    wrong_login: str


class _Closed(Exception):  # noqa: N818 - it is no error of ours
    """The listener ended the conversation, as it does with who may not speak."""


def knock(host: str, port: int, clock: Clock) -> AnonymousAccess:
    """Try a listener in every way that must fail where it is guarded.

    Raises:
        CannotLook: it can't be reached, or does not speak Kafka's protocol either in plain text or in TLS.
    """
    plain = _answers(host, port, clock, plain=True)
    if not plain and not _answers(host, port, clock, plain=False):
        # TLS itself refused us: nobody without a certificate comes further.
        return AnonymousAccess(plain=False, anonymous=False, mechanisms=(), tried=NOT_TRIED, wrong_login=NOT_TRIED)
    mechanisms = _mechanisms(host, port, clock, plain=plain)
    # Who is told that there is no login needs none, also where metadata is not to be had, as of a controller.
    anonymous = not mechanisms or _metadata(host, port, clock, plain=plain)
    tried = next((password for password in _PASSWORDS if password in mechanisms), "")
    wrong = _wrong_login(host, port, clock, tried, plain=plain) if tried else NOT_TRIED
    return AnonymousAccess(plain, anonymous, mechanisms, tried, wrong)


def _answers(host: str, port: int, clock: Clock, *, plain: bool) -> bool:
    """Whether it answers who asks for the versions it knows, which needs no login.

    Raises:
        CannotLook: it can't be reached; in TLS, it does not shake hands.
    """
    from kafka.protocol.metadata import ApiVersionsRequest

    try:
        with closing(_Conversation(host, port, clock, plain=plain)) as talk:
            talk.ask(ApiVersionsRequest[0]())
    except _Closed:
        return False
    except Garbled:
        if plain:  # an alert of TLS, which is how it tells that it wants no plain text
            return False
        raise
    return True


def _metadata(host: str, port: int, clock: Clock, *, plain: bool) -> bool:
    from kafka.protocol.metadata import ApiVersionsRequest, MetadataRequest

    with closing(_Conversation(host, port, clock, plain=plain)) as talk:
        talk.ask(ApiVersionsRequest[0]())
        try:
            talk.ask(MetadataRequest[4](topics=[], allow_auto_topic_creation=False))
        except _Closed:
            return False
        return True


def _mechanisms(host: str, port: int, clock: Clock, *, plain: bool) -> tuple[str, ...]:
    """Ask for a mechanism that nobody has: the refusal names those there are; none where no SASL is spoken."""
    with closing(_Conversation(host, port, clock, plain=plain)) as talk:
        answer = talk.handshake(f"RUNBOOK-{secrets.token_hex(4).upper()}")
    if answer.error_code == _ILLEGAL_STATE:
        return ()
    if answer.error_code != _UNSUPPORTED_MECHANISM:
        raise Garbled(f"answered a SASL handshake with the error code {answer.error_code}")
    return tuple(sorted(str(mechanism) for mechanism in answer.mechanisms))


def _wrong_login(host: str, port: int, clock: Clock, mechanism: str, *, plain: bool) -> str:
    """Try to come in as a user that was made up a moment ago, once."""
    user, password, nonce = (f"runbook-probe-{secrets.token_hex(8)}" for _ in range(3))
    first = f"\0{user}\0{password}" if mechanism == "PLAIN" else f"n,,n={user},r={nonce}"
    with closing(_Conversation(host, port, clock, plain=plain)) as talk:
        talk.handshake(mechanism)
        answer = talk.authenticate(first.encode())
        if not answer.error_code and mechanism != "PLAIN":  # it hides who exists: a proof must fail, then
            parts = dict(part.partition("=")[::2] for part in bytes(answer.auth_bytes).decode("latin-1").split(","))
            proof = base64.b64encode(secrets.token_bytes(64 if mechanism.endswith("512") else 32)).decode()
            answer = talk.authenticate(f"c=biws,r={parts.get('r', nonce)},p={proof}".encode())
    if answer.error_code == _AUTHENTICATION_FAILED:
        return REFUSED
    if not answer.error_code:
        return ACCEPTED
    raise Garbled(f"answered a login with the error code {answer.error_code}")


class _Conversation:
    """One connection, on which one request at a time is answered."""

    def __init__(self, host: str, port: int, clock: Clock, *, plain: bool) -> None:
        """Connect.

        Raises:
            CannotLook: it can't be reached, or not in TLS.
            _Closed: TLS was refused for lack of a certificate.
        """
        from kafka.protocol.parser import KafkaProtocol

        self._end = time.monotonic() + clock.request()
        self._protocol = KafkaProtocol(client_id="runbook", receive_message_max_bytes=_CHUNK * 16)
        self._label = host_port(host, port)
        try:
            bare = socket.create_connection((host, port), timeout=self._left())
        except OSError as error:
            raise from_kafka_python(error, self._label) from error
        if plain:
            self._socket = bare
            return
        try:
            self._socket = _blind().wrap_socket(bare, server_hostname=host)
        except OSError as error:
            bare.close()
            if _is_alert(error):
                raise _Closed from error
            if isinstance(error, ssl.SSLError):
                raise Garbled(f"{self._label} does not shake hands in TLS: {error.reason or 'it hung up'}") from error
            raise from_kafka_python(error, self._label) from error

    def close(self) -> None:
        """End it."""
        self._socket.close()

    def handshake(self, mechanism: str) -> Any:
        """Ask for a mechanism of SASL."""
        from kafka.protocol.sasl import SaslHandshakeRequest

        return self.ask(SaslHandshakeRequest[1](mechanism=mechanism))

    def authenticate(self, message: bytes) -> Any:
        """Send one message of a login."""
        from kafka.protocol.sasl import SaslAuthenticateRequest

        return self.ask(SaslAuthenticateRequest[0](auth_bytes=message))

    def ask(self, request: Any) -> Any:
        """Send a request and give its answer.

        Raises:
            _Closed: the other side ended the connection, or TLS did for lack of a certificate.
            CannotLook: there was no answer, or none of the protocol.
        """
        from kafka.errors import KafkaError

        try:
            self._protocol.send_request(request)
            self._socket.settimeout(self._left())
            self._socket.sendall(self._protocol.send_bytes())
            while True:
                self._socket.settimeout(self._left())
                received = self._socket.recv(_CHUNK)
                if not received:
                    raise _Closed
                if answers := self._protocol.receive_bytes(received):
                    return answers[0][1]
        except (ConnectionResetError, BrokenPipeError, ssl.SSLEOFError, ssl.SSLZeroReturnError) as error:
            raise _Closed from error
        except OSError as error:
            if _is_alert(error):
                raise _Closed from error
            raise from_kafka_python(error, self._label) from error
        except (KafkaError, ValueError, IndexError, KeyError) as error:
            raise Garbled(f"{self._label} did not answer in Kafka's protocol") from error

    def _left(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimedOut(f"{self._label} did not answer in its time")
        return left


def _blind() -> ssl.SSLContext:
    """TLS with whoever is there: an outsider trusts nobody, and sends nothing that is worth keeping."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    return context


def _is_alert(error: OSError) -> bool:
    """Whether the other side ended TLS by an alert."""
    return isinstance(error, ssl.SSLError) and "ALERT" in str(error.reason or "").upper()
