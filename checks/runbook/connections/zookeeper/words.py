"""Four-letter words: one connection for each, the word, and the answer up to the end of the connection."""

import errno
import os
import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from runbook.answers.zookeeper import QUESTIONS
from runbook.connections._reach import kind_of
from runbook.formats.zookeeper import ServerAddress
from runbook.model.errors import CannotLook, ClosedUnanswered, Denied, Garbled, Misconfigured, NoName, NoTls, TimedOut

MOST = 8 << 20  # bytes; `cons` of 10,000 connections has 2 MB. Our judgement
_CHUNK = 1 << 16
_CLOSED = "closed our connection at once, without an answer"
_REFUSAL = "is not executed because it is not in the whitelist"


def tls_context(settings: Mapping[str, Any]) -> ssl.SSLContext | None:
    """How TLS is spoken to the clients' port; None where no `ca` is given.

    Raises:
        Misconfigured: a file can't be used.
    """
    if not settings.get("ca"):
        return None
    try:
        context = ssl.create_default_context(cafile=Path(str(settings["ca"])).expanduser())
        if settings.get("certificate"):
            key = settings.get("key")
            context.load_cert_chain(
                Path(str(settings["certificate"])).expanduser(), Path(str(key)).expanduser() if key else None
            )
    except OSError as error:
        raise Misconfigured(
            f"`ca`, `certificate` or `key` of zookeeper can't be used: {error.strerror or error}; name PEM files"
        ) from error
    return context


def ask(place: ServerAddress, word: str, tls: ssl.SSLContext | None, patience: float) -> str:
    """Ask one word of one server, which has so many seconds for all of its answer.

    Raises:
        CannotLook: it could not be had, with the reason.
    """
    end = time.monotonic() + patience
    try:
        plain = socket.create_connection((place.host, place.port), timeout=_left(end))
        with (
            closing(plain),
            closing(tls.wrap_socket(plain, server_hostname=place.host) if tls else plain) as connection,
        ):
            connection.settimeout(_left(end))
            connection.sendall(word.encode())
            answer = _read(connection, end)
    except OSError as error:
        raise _explained(error) from error
    return _checked(answer, word)


def _read(connection: socket.socket, end: float) -> bytes:
    body = bytearray()
    while True:
        connection.settimeout(_left(end))
        chunk = connection.recv(_CHUNK)
        if not chunk:
            return bytes(body)
        body += chunk
        if len(body) > MOST:
            raise Garbled(f"answered with more than {MOST >> 20} MB, which is no answer to what was asked")


def _left(end: float) -> float:
    left = end - time.monotonic()
    if left <= 0:
        raise TimedOut("did not answer in its time")
    return left


def _checked(answer: bytes, word: str) -> str:
    try:
        text = answer.decode()
    except UnicodeDecodeError as error:
        raise Garbled(f"answered {word} with what is no text: is it ZooKeeper?") from error
    if not text.strip():
        raise ClosedUnanswered(_CLOSED)
    if _REFUSAL in text:
        words = ",".join(question.word for question in QUESTIONS)
        raise Denied(f"does not answer {word}: set 4lw.commands.whitelist={words} in its zoo.cfg, or give its `admin`")
    return text


def _explained(error: OSError) -> CannotLook:
    if isinstance(error, TimeoutError):
        return TimedOut("did not answer in its time")
    if isinstance(error, socket.gaierror):
        return NoName("can't be reached: its name does not resolve")
    if isinstance(error, ssl.SSLError):
        return NoTls(f"can't be reached over TLS: {error.reason or error}".replace("_", " ").lower())
    if isinstance(error, ConnectionResetError | BrokenPipeError):
        return ClosedUnanswered(_CLOSED)
    known = error.errno is not None and error.errno in errno.errorcode
    # not made up: the words of an error; no cell
    return kind_of(error)(f"can't be reached: {os.strerror(error.errno or 0).lower() if known else error}")
