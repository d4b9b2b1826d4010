"""Requests over HTTP to what runs in a lab: on loopback, past every proxy of the environment, bounded in time."""

import urllib.error
import urllib.request
from typing import Any

import msgspec

from kafka_lab.errors import LabError

_LONGEST = 400  # characters of a refusal that are told


class RefusedError(LabError):
    """It answered with an HTTP status that is none of success.

    Attributes:
        status: that status.
    """

    def __init__(self, what: str, status: int, said: str) -> None:
        """Say what refused, and in which words."""
        super().__init__(f"{what}: HTTP {status}: {said[:_LONGEST]}")
        self.status = status


def ask(
    url: str, *, method: str = "GET", body: bytes | None = None, kind: str = "application/json", within: float = 15.0
) -> Any:
    """Send a request; gives what its JSON says, None of an empty answer.

    Args:
        url: of something in a lab.
        method: of the request.
        body: to send, of the media type `kind`.
        kind: the media type.
        within: seconds for each step of it.

    Raises:
        RefusedError: it answered with an error.
        LabError: it does not answer, or not in JSON.
    """
    answer = _read(url, method, body, kind, within)
    try:
        return msgspec.json.decode(answer or b"null")
    except msgspec.DecodeError as error:
        raise LabError(f"{url} does not answer: {error}") from error


def page(url: str, *, within: float = 15.0) -> str:
    """Read a page of something in a lab, as text.

    Raises:
        LabError: it does not answer, or with an error.
    """
    return _read(url, "GET", None, "", within).decode("utf-8", "replace")


def _read(url: str, method: str, body: bytes | None, kind: str, within: float) -> bytes:
    headers = {} if body is None else {"Content-Type": kind}
    request = urllib.request.Request(url, body, headers, method=method)  # noqa: S310 - the lab's own address
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=within) as answer:
            content: bytes = answer.read()
            return content
    except urllib.error.HTTPError as error:
        said = error.read().decode("utf-8", "replace")
        raise RefusedError(f"{method} {url} was refused", error.code, said) from error
    except OSError as error:
        raise LabError(f"{url} does not answer: {error}") from error
