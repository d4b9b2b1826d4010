"""One conversation with a listener, over a socket of our own: whatever a client library would hide is seen.

Who speaks here has no credentials and trusts nobody, so nothing is sent that is worth keeping.
"""

import secrets
import socket
import ssl
import time
from contextlib import closing
from typing import Any, Final

from runbook.connections.kafka.errors import from_kafka_python
from runbook.formats.addresses import host_port
from runbook.model.errors import Garbled, TimedOut
from runbook.model.probe import Deadline

PASSWORDS: Final = ("PLAIN", "SCRAM-SHA-512", "SCRAM-SHA-256")
"""Mechanisms of SASL that take a user's name and password, in the order in which one is tried."""

_CHUNK: Final = 1 << 16
_UNSUPPORTED_MECHANISM, _ILLEGAL_STATE = 33, 34  # error codes of Kafka's protocol


class Closed(Exception):  # noqa: N818 - it is no error of ours
    """The listener ended the conversation, as it does with who may not speak."""


def mechanisms_of(host: str, port: int, clock: Deadline, *, plain: bool) -> tuple[str, ...]:
    """Ask for a mechanism that nobody has: the refusal names those there are; none where no SASL is spoken.

    Raises:
        Closed: it ended the conversation.
        CannotLook: there was no answer, or none of the protocol.
    """
    with closing(RawConnection(host, port, clock, plain=plain)) as talk:
        answer = talk.handshake(f"RUNBOOK-{secrets.token_hex(4).upper()}")
    if answer.error_code == _ILLEGAL_STATE:
        return ()
    if answer.error_code != _UNSUPPORTED_MECHANISM:
        raise Garbled(f"answered a SASL handshake with the error code {answer.error_code}")
    return tuple(sorted(str(mechanism) for mechanism in answer.mechanisms))


class RawConnection:
    """One connection, on which one request at a time is answered."""

    def __init__(self, host: str, port: int, clock: Deadline, *, plain: bool) -> None:
        """Connect.

        Raises:
            CannotLook: it can't be reached, or not in TLS.
            Closed: TLS was refused for lack of a certificate.
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
                raise Closed from error
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
            Closed: the other side ended the connection, or TLS did for lack of a certificate.
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
                    raise Closed
                if answers := self._protocol.receive_bytes(received):
                    return answers[0][1]
        except (ConnectionResetError, BrokenPipeError, ssl.SSLEOFError, ssl.SSLZeroReturnError) as error:
            raise Closed from error
        except OSError as error:
            if _is_alert(error):
                raise Closed from error
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
