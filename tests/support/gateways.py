"""What stands before real systems over HTTP: a proxy that asks for a login, and one address for two registries."""

import base64
import contextlib
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import requests

from support.http_servers import Answer, Asked, http_server

_USER: Final = "runbook"
PASSWORD: Final = "made-up-for-the-proxy"

_ASKS: Final = Answer(b"", 401, (("WWW-Authenticate", 'Basic realm="runbook"'),))
_WITHIN: Final = 240.0


def login(folder: Path) -> dict[str, Any]:
    """How the inventory logs in at a proxy that asks; the password stands in a file in this folder."""
    file = folder / "proxy.password"
    file.touch(0o600)
    file.write_text(PASSWORD, "ascii")
    return {"username": _USER, "password": {"file": str(file)}}


@contextlib.contextmanager
def asking(address: str) -> Iterator[str]:
    """The address of a proxy that passes on what comes with the login, and answers 401 to the rest."""
    wanted = "Basic " + base64.b64encode(f"{_USER}:{PASSWORD}".encode()).decode("ascii")

    def answer(one: Asked) -> Answer:
        return passed_on(one, address) if one.headers.get("Authorization") == wanted else _ASKS

    with http_server(answer) as (spot, _):
        yield f"http://{spot}{urlsplit(address).path}"


@contextlib.contextmanager
def both(first: str, second: str) -> Iterator[str]:
    """One address for two registries, as in the middle of a move: each subject is asked of the one that has it now."""
    listing = Asked("GET", f"{urlsplit(second).path}/subjects", {}, b"")
    theirs = set(json.loads(passed_on(listing, second).body))

    def answer(one: Asked) -> Answer:
        path = urlsplit(one.path).path.removeprefix(urlsplit(first).path).strip("/").split("/")
        if path == ["subjects"]:
            lists = [json.loads(passed_on(one, where).body) for where in (first, second)]
            return Answer(json.dumps([*lists[0], *lists[1]]).encode())
        named = {unquote(part) for part in path}
        return passed_on(one, second if named & theirs else first)

    with http_server(answer) as (spot, _):
        yield f"http://{spot}{urlsplit(first).path}"


@contextlib.contextmanager
def shut() -> Iterator[str]:
    """An address that refuses every connection, and that nobody else can take meanwhile."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


def passed_on(one: Asked, address: str) -> Answer:
    """What the system at this address says to a request."""
    parts = urlsplit(address)
    kind = {name: value for name, value in one.headers.items() if name.lower() == "content-type"}
    with requests.Session() as session:
        session.trust_env = False  # no proxy of the environment stands between systems of this machine
        where = f"{parts.scheme}://{parts.netloc}{one.path}"
        response = session.request(one.method, where, data=one.body or None, headers=kind, timeout=_WITHIN)
        return Answer(
            response.content, response.status_code, (("Content-Type", response.headers.get("Content-Type", "")),)
        )


def status(address: str, *, login: bool = False) -> int:
    """The HTTP status that an address answers a GET with, without credentials or with the login; 0 if it refuses."""
    with requests.Session() as session:
        session.trust_env = False
        try:
            return session.get(address, auth=(_USER, PASSWORD) if login else None, timeout=_WITHIN).status_code
        except requests.ConnectionError:
            return 0
