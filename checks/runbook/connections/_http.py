"""Asking over HTTP, in time and in bounds: how Jolokia, Prometheus, Connect and schema registries are asked.

Kubernetes has a client of its own, whose answers are read in the same bounds.

It is no connection by itself; the underscore keeps it out of the catalog.
"""

import ipaddress
import os
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from http.client import HTTPException
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from msgspec import Struct

from runbook.connections._reach import kind_of
from runbook.model.errors import (
    CannotLook,
    Denied,
    Garbled,
    Misconfigured,
    NoTls,
    TimedOut,
    Unreachable,
    did_you_mean,
)
from runbook.model.probe import Deadline
from runbook.recording.pool import Pool
from runbook.recording.question import opened, question

T = TypeVar("T")

LOGIN = ("username", "password", "token", "ca", "certificate", "key")
"""Settings that every connection over HTTP takes; `ca`, `certificate` and `key` name PEM files."""

_AT_ONCE = 32  # JVMs asked side by side; our judgement
_CHUNK = 1 << 16
_SPARE = 0.3  # seconds before the deadline from which on nothing is waited for, so that what came can be told
_UNAUTHORIZED, _FORBIDDEN = 401, 403
_OK, _REDIRECT, _WRONG = 200, 300, 400
_MEANS = {
    409: "it can't answer while something changes, such as the members of its group",
    429: "it is asked too much",
    500: "it failed at that, and its log says why",
    502: "what stands before it does not reach it",
    503: "it is not ready to serve",
    504: "what stands before it waited in vain",
}


class Web(Struct):
    """One session with the settings of a connection. Every request is bounded in time and bytes.

    Attributes:
        session: of `requests`; None where answers come from a recording.
        clock: what each request may take.
        most: bytes of an answer that are read, at most.
    """

    session: Any
    clock: Deadline
    most: int

    def get(self, url: str) -> bytes:
        """Ask by GET; see `_ask`."""
        return self._ask("GET", url, {})

    def post_json(self, url: str, body: bytes) -> bytes:
        """Ask by POST with JSON; see `_ask`."""
        return self._ask("POST", url, {"data": body, "headers": {"Content-Type": "application/json"}})

    def post_form(self, url: str, form: Mapping[str, str]) -> bytes:
        """Ask by POST with a form, where a question is too long for an address; see `_ask`."""
        return self._ask("POST", url, {"data": form})

    @question("http")
    def _ask(self, method: str, url: str, content: dict[str, Any]) -> bytes:
        """Give the whole body of the answer; where the other side hangs up instead of answering, ask once more.

        Servers close connections on which nothing was asked for a while, and the next request may cross that. All that
        is asked here only reads, so it may be asked twice (RFC 9110, 9.2.2).

        Raises:
            CannotLook: it could not be had, with the reason. Redirects are not followed: they could lead anywhere.
        """
        import requests

        try:
            try:
                return self._answer(method, url, content)
            except requests.ConnectionError as error:
                if not any(isinstance(cause, ConnectionResetError | BrokenPipeError) for cause in _causes(error)):
                    raise
            return self._answer(method, url, content)
        except requests.RequestException as error:
            raise _explained(error) from error
        except OSError as error:  # sockets, where the library lets theirs through
            raise Unreachable(f"can't be reached: {_cause(error)}") from error

    def _answer(self, method: str, url: str, content: dict[str, Any]) -> bytes:
        patience = self.clock.request()
        with self.session.request(
            method, url, timeout=patience, allow_redirects=False, stream=True, proxies=_proxies(url), **content
        ) as answer:
            _require_success(answer)
            return self._read(answer)

    def _read(self, answer: Any) -> bytes:
        return in_bounds(answer.iter_content(_CHUNK), most=self.most, left=self.clock.left)

    def close(self) -> None:
        """Close all connections."""
        if self.session is not None:
            self.session.close()


def in_bounds(chunks: Iterable[bytes], *, most: int, left: Callable[[], float]) -> bytes:
    """Read an answer as it comes, so that one that never ends costs neither time nor memory.

    Args:
        chunks: of its body.
        most: bytes that are read, at most.
        left: tells the seconds that are left for it.

    Raises:
        Garbled: it is longer.
        TimedOut: it takes longer.
    """
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > most:
            raise Garbled(f"answered with more than {most >> 20} MB, which is no answer to what was asked")
        if left() <= 0:
            raise TimedOut("did not finish its answer in its time")
    return bytes(body)


def web(settings: Mapping[str, Any], clock: Deadline, *, most: int) -> Web:
    """Prepare a session; nothing is sent.

    Raises:
        Misconfigured: the settings for logging in can't be used.
    """
    return opened(clock, "http", lambda: Web(_session(settings), clock, most), lambda: Web(None, clock, most))


def _session(settings: Mapping[str, Any]) -> Any:
    import requests
    from requests.adapters import HTTPAdapter
    from requests.auth import HTTPBasicAuth

    session = requests.Session()
    session.trust_env = False  # else a login of ~/.netrc would be sent along, and loopback go through a proxy
    for scheme in ("http://", "https://"):
        session.mount(scheme, HTTPAdapter(pool_maxsize=_AT_ONCE))
    session.verify = _file(settings, "ca") or True
    if settings.get("certificate"):
        pair = (_file(settings, "certificate"), _file(settings, "key"))
        session.cert = pair if pair[1] else pair[0]
    if settings.get("username"):
        session.auth = HTTPBasicAuth(*(str(settings.get(name, "")).encode() for name in ("username", "password")))
    elif settings.get("token"):
        session.headers["Authorization"] = f"Bearer {settings['token']}"
    return session


def check_names(settings: Mapping[str, Any], known: Iterable[str], kind: str) -> None:
    """Refuse settings that nobody reads.

    Raises:
        Misconfigured: there is one, with the nearest that is known.
    """
    names = [*known, *LOGIN]
    for name in settings:
        if name not in names:
            raise Misconfigured(f'{kind} has no setting "{name}": {did_you_mean(str(name), names)}')


def address(text: Any, path: str, settings: Mapping[str, Any], setting: str) -> str:
    """Complete an address: `host:port` is http, or https where `ca` is given, and gets this path.

    Raises:
        Misconfigured: it is no address, or holds a password.
    """
    given = text if isinstance(text, str) else ""
    whole = given if "://" in given else f"{'https' if settings.get('ca') else 'http'}://{given}"
    try:
        parts = urlsplit(whole)
        port, host = parts.port, parts.hostname
    except ValueError:
        port, host = None, None
    if parts.scheme not in ("http", "https") or not host or port == 0:
        raise Misconfigured(f"{setting} must be an address such as http://host:port{path}, not {str(text)[:100]!r}")
    if parts.password:
        raise Misconfigured(f"{setting} holds a password in its address: use `username` and `password` instead")
    return whole if parts.path.strip("/") else whole.rstrip("/") + path


def each(of: Mapping[T, str], ask: Callable[[T, str], Any], clock: Deadline) -> dict[T, Any]:
    """Ask many addresses side by side, each in its own time.

    Returns:
        For each key the answer, or the `CannotLook` that tells why there is none.
    """

    def one(key: T, url: str) -> Any:
        try:
            return ask(key, url)
        except CannotLook as error:
            return error

    pool = Pool(_AT_ONCE, thread_name_prefix="http")
    waiting: dict[T, Future[Any]] = {key: pool.submit(one, key, url) for key, url in of.items()}
    answers = {key: _in_time(future, clock) for key, future in waiting.items()}
    pool.shutdown(wait=False, cancel_futures=True)
    return answers


def _in_time(future: "Future[Any]", clock: Deadline) -> Any:
    """An answer, or that there was none: a server that sends a byte a second keeps every time limit of a socket."""
    try:
        return future.result(timeout=clock.at_most(clock.request() + 0.1 if clock.left() > _SPARE else 0))
    except TimeoutError:
        return TimedOut("did not answer in its time")


def _proxies(url: str) -> dict[str, str]:
    """The environment's proxies, but none for this machine itself."""
    from requests.utils import get_environ_proxies

    host = urlsplit(url).hostname or ""
    return {} if _is_loopback(host) else dict(get_environ_proxies(url, no_proxy=None))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _file(settings: Mapping[str, Any], name: str) -> str:
    given = settings.get(name)
    if not given:
        return ""
    path = Path(str(given)).expanduser()
    if not os.access(path, os.R_OK):
        raise Misconfigured(f"{name} names {path}, which can't be read: give the path of a PEM file")
    return str(path)


def _require_success(answer: Any) -> None:
    status = answer.status_code
    if status == _OK:
        return
    if status == _UNAUTHORIZED:
        raise Denied("did not accept our credentials (HTTP 401)")
    if status == _FORBIDDEN:
        raise Denied("does not let us look (HTTP 403)")
    if _REDIRECT <= status < _WRONG:
        raise Garbled(f"answered with a redirect (HTTP {status}), which is not followed: give the final address")
    raise Garbled(f"answered with HTTP {status}: {_MEANS.get(status, 'is it the right address?')}")


def _explained(error: Any) -> CannotLook:
    """An error of `requests` as ours; what it says of addresses and objects in memory is left out."""
    import requests

    causes = list(_causes(error))
    if isinstance(error, requests.Timeout) or any("Read timed out" in str(cause) for cause in causes):
        return TimedOut("did not answer in its time")
    if isinstance(error, (requests.exceptions.ChunkedEncodingError, requests.exceptions.ContentDecodingError)):
        return Garbled("broke off in the middle of its answer, or garbled it")
    ways = {requests.exceptions.SSLError: " over TLS", requests.exceptions.ProxyError: " through the proxy"}
    way = next((way for kind, way in ways.items() if isinstance(error, kind)), "")
    no_http = any(isinstance(cause, HTTPException) and not isinstance(cause, OSError) for cause in causes)
    if isinstance(error, requests.ConnectionError) and not no_http:
        kind = NoTls if isinstance(error, requests.exceptions.SSLError) else _kind_below(causes)
        return kind(f"can't be reached{way}: {_cause(error)}")
    return Garbled("did not answer in HTTP")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what lies below it, wherever the libraries put that."""
    seen: list[BaseException] = [error]
    for cause in seen:
        yield cause
        below = [*cause.args, getattr(cause, "reason", None), cause.__cause__, cause.__context__]
        seen += [b for b in below if isinstance(b, BaseException) and not any(b is known for known in seen)]


def _kind_below(causes: Sequence[BaseException]) -> type[Unreachable]:
    """What the errors of sockets below an error say."""
    kinds = [kind_of(cause) for cause in causes if isinstance(cause, OSError)]
    return next((kind for kind in kinds if kind is not Unreachable), Unreachable)


def _cause(error: BaseException) -> str:
    causes = list(_causes(error))
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return "its name does not resolve"
    for cause in causes:
        if isinstance(cause, OSError) and cause.errno and cause.strerror:
            return os.strerror(cause.errno).lower() if cause.errno > 0 and cause.errno in _ERRNOS else cause.strerror
    last = str(causes[-1]).splitlines()
    return last[0][:200] if last and last[0] else "it closed the connection"


_ERRNOS = frozenset({104, 111, 113, 101, 110, 32})
"""Of sockets: reset, refused, no route, unreachable, timed out, broken pipe. TLS has numbers of its own."""
