"""Listeners that answer as those of a lab with logins did, on loopback: for tests of who comes without credentials."""

import contextlib
import json
import socket
import ssl
import struct
from collections.abc import Iterator
from pathlib import Path

from kafka.protocol.sasl import SaslHandshakeResponse

from support.tls_servers import accepting

RECORDED = json.loads(Path(__file__).parents[1].joinpath("connections/kafka/recorded/entries.json").read_text())
KEYS = {3: "MetadataRequest", 17: "SaslHandshakeRequest", 18: "ApiVersionsRequest", 36: "SaslAuthenticateRequest"}
STRANGE = "SaslHandshakeRequest of a stranger"
SASL = {"SaslHandshakeRequest": RECORDED["CLIENTS"]["SaslHandshakeRequest in TLS"]}
GUARDED, OPEN, MUTUAL = (RECORDED[name] for name in ("CLIENTS", "PLAINTEXT", "MUTUAL"))
ALERT = {"ApiVersionsRequest": GUARDED["ApiVersionsRequest"]}
"""What a listener with TLS says to plain text."""
GUARDED_IN_PLAIN_TEXT = {name.removesuffix(" in TLS"): answer for name, answer in GUARDED.items() if "in TLS" in name}
"""As SASL_PLAINTEXT answers: what a listener says to a login does not depend on TLS below."""


def read_request(talk: socket.socket) -> tuple[str, int]:
    """The name of the next request, and its number."""
    [size] = struct.unpack(">i", exactly(talk, 4))
    body = exactly(talk, size)
    key, _, number = struct.unpack(">hhi", body[:8])
    return KEYS[key] + (" of a stranger" if b"RUNBOOK-" in body else ""), number


def exactly(talk: socket.socket, size: int) -> bytes:
    received = b""
    while len(received) < size and (more := talk.recv(size - len(received))):
        received += more
    return received


@contextlib.contextmanager
def listening(answers: dict[str, str], tls: ssl.SSLContext | None = None) -> Iterator[tuple[int, list[str]]]:
    """A listener that gives these answers, by request and whether it came in TLS; its port, and what it was asked."""
    asked: list[str] = []

    def converse(talk: socket.socket, suffix: str) -> None:
        talk.settimeout(10)
        while True:
            name, number = read_request(talk)
            asked.append(name)
            answer = answers[name + suffix]
            if answer == "closed":
                return
            frame = bytes.fromhex(answer)
            talk.sendall(frame[:4] + struct.pack(">i", number) + frame[8:])

    def serve(plain: socket.socket) -> None:
        with plain, contextlib.suppress(OSError, struct.error):
            if tls is None:
                converse(plain, "")
            elif plain.recv(1, socket.MSG_PEEK) == b"\x16":
                with tls.wrap_socket(plain, server_side=True) as talk:
                    converse(talk, " in TLS")
            else:
                plain.recv(65536)
                plain.sendall(bytes.fromhex(answers["ApiVersionsRequest"]))

    with accepting(serve) as port:
        yield port, asked


def framed(response: object) -> str:
    """A response as it goes over the wire, with the number 0."""
    body = response.encode()  # type: ignore[attr-defined]
    return bytes(struct.pack(">ii", len(body) + 4, 0) + body).hex()


def offering(*mechanisms: str) -> str:
    return framed(SaslHandshakeResponse[1](error_code=33, mechanisms=list(mechanisms)))
