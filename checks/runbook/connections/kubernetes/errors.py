"""What goes wrong between us and an API server, as `CannotLook`: the one place that knows the library's errors."""

import base64
import binascii
import datetime as dt
import json
import re
from collections.abc import Mapping
from typing import Any

from runbook.answers.kubernetes.reads import granted
from runbook.model.errors import (
    CannotLook,
    Denied,
    Garbled,
    NoName,
    NoRoute,
    NoTls,
    NotServing,
    NotThere,
    Refused,
    TimedOut,
    Unreachable,
)

_UNAUTHORIZED, _FORBIDDEN, _NOT_FOUND, _GONE, _TOO_MANY = 401, 403, 404, 410, 429
_OK = range(200, 300)
_SERVER_ERROR = 500


class NotFound(NotThere):
    """The API server knows no such path: the resource is not there, or its definition is not."""


def from_transport(error: Exception, server: str) -> CannotLook:
    """Turn an error of the client, of urllib3 or of a socket into ours."""
    words = f"{type(error).__name__} {_chain(error)}"
    for pattern, kind, sentence in _IN_WORDS:
        if found := re.search(pattern, words, re.IGNORECASE):
            detail = " ".join(words[found.start() :].partition(" (_ssl")[0].split())[:160]
            return kind(f"{server} {sentence}".format(detail=detail))
    return Garbled(f"{server} did not answer in HTTP: {words[:200]}")


_TLS = "can't be reached over TLS: "
_IN_WORDS: tuple[tuple[str, type[CannotLook], str], ...] = (
    (r"NameResolutionError|Name or service not known", NoName, "can't be reached: its name does not resolve"),
    (r"alert certificate expired", Denied, "does not accept our credentials: the client certificate has expired"),
    (r"certificate has expired", NoTls, _TLS + "its certificate has expired"),
    (r"local issuer|self.signed", NoTls, _TLS + "its certificate is not of the authority we were given"),
    (r"hostname mismatch|IP address mismatch|doesn't match", NoTls, _TLS + "its certificate is for another name"),
    (r"timed out|TimeoutError", TimedOut, "did not answer in its time"),
    (r"\[SSL.*|SSL\w*Error.*|UNEXPECTED_EOF.*", NoTls, _TLS + "{detail}"),
    (r"connection refused", Refused, "can't be reached: connection refused"),
    (r"No route to host|Network is unreachable", NoRoute, "can't be reached: there is no route to it"),
    (r"ProtocolError|Connection\w*Error", Unreachable, "can't be reached: it closed the connection in mid-answer"),
)
"""What the words of a failure mean; the first pattern that matches decides."""


def from_status(status: int, body: bytes, server: str, path: str, *, token: str = "") -> CannotLook:
    """Turn an answer that is no success into ours.

    Args:
        status: the HTTP status.
        body: the answer, a Status object of Kubernetes if the server is one.
        server: how sentences name the server.
        path: what was asked, without the query.
        token: our bearer token, which may tell when it expired; it is never part of the sentence.
    """
    message = _message(body)
    if status == _UNAUTHORIZED:
        return Denied(
            f"{server} does not accept our credentials{_expiry(token)}: renew the token or client certificate"
        )
    if status == _FORBIDDEN:
        return Denied(f"we may not {_verb(path)}: {message}" if message else f"we may not {_verb(path)}")
    if status == _NOT_FOUND:
        return NotFound(f"{server} knows no {path}")
    if status == _GONE:
        return Garbled(f"{path} changed while it was being read: ask again")
    if status == _TOO_MANY or status >= _SERVER_ERROR:
        return NotServing(f"{server} answered {status} to {path}" + (f": {message}" if message else ""))
    return Garbled(f"{server} answered {status} to {path}" + (f": {message}" if message else ""))


def is_success(status: int) -> bool:
    """Whether an HTTP status is one of success; a redirect is not, as it could lead anywhere."""
    return status in _OK


def _verb(path: str) -> str:
    """Say what a path asks for, as a Role grants it: `list pods in namespace kafka`."""
    right = granted(path)
    if right is None:
        return f"get {path}"
    verb, group, resource = right
    namespace = path.partition("/namespaces/")[2].partition("/")[0]
    if resource == "namespaces":
        return f"get the namespace {namespace}"
    where = f"namespace {namespace}" if namespace else "the cluster"
    return f"{verb} {resource}{f'.{group}' if group else ''} in {where}"


def _message(body: bytes) -> str:
    """Give the reason that a Status object states, in one short line."""
    try:
        status = json.loads(body)
    except ValueError:
        return ""
    said = status.get("message") if isinstance(status, Mapping) else None
    return " ".join(said.split())[:300] if isinstance(said, str) else ""


def _expiry(token: str) -> str:
    """Say since when a token is out of date, if it tells (a JWT's `exp`); it is read, not verified."""
    parts = token.split(".")
    if len(parts) != 3:  # noqa: PLR2004 - header, claims, signature
        return ""
    try:
        claims: Any = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
        end = dt.datetime.fromtimestamp(claims["exp"], dt.UTC)
    except (ValueError, binascii.Error, KeyError, TypeError, OverflowError, OSError):
        return ""
    return f" (the token expired at {end:%Y-%m-%d %H:%M} UTC)" if end < dt.datetime.now(dt.UTC) else ""


def _chain(error: BaseException) -> str:
    """Give the texts of an error and of what caused it: urllib3 wraps the one that tells most."""
    texts: list[str] = []
    seen: BaseException | None = error
    while seen is not None and len(texts) < 5:  # noqa: PLR2004 - deeper ones say nothing new
        if str(seen) not in " ".join(texts):
            texts.append(str(seen))
        seen = seen.__cause__ or seen.__context__
    return " ".join(texts)
