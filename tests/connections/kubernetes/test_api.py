"""The seam: what it refuses to ask, and what it does with answers that are long, endless, cut off or not for us."""

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from runbook.answers.kubernetes import reads
from runbook.connections.kubernetes import READS, connect
from runbook.connections.kubernetes import api as seam
from runbook.model.errors import CannotLook, Garbled, TimedOut
from runbook.model.probe import Deadline
from support.busy_machine import LATE

Answer = Callable[[str, dict[str, list[str]]], tuple[int, bytes]]


@contextlib.contextmanager
def server(answer: Answer, asked: list[str] | None = None) -> Iterator[str]:
    """Serve answers over HTTP on loopback; notes the requests."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if asked is not None:
                asked.append(f"{self.command} {self.path}")
            status, body = answer(parts.path, parse_qs(parts.query))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            if status in {301, 302}:
                self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.end_headers()
            with contextlib.suppress(OSError):
                self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=listener.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.server_address[1]}"
    finally:
        listener.shutdown()
        listener.server_close()


def api(address: str, seconds: float = 3.0) -> Any:
    return connect({"server": address, "namespace": "kafka"}, Deadline(seconds))._api


def page(items: list[Any], mark: str = "") -> tuple[int, bytes]:
    return 200, json.dumps({"kind": "PodList", "metadata": {"continue": mark}, "items": items}).encode()


def failure(address: str, seconds: float = 3.0) -> CannotLook:
    asker = api(address, seconds)
    with pytest.raises(CannotLook) as failed:
        asker.items(reads.PODS, namespace="kafka")
    asker.close()
    return failed.value


@pytest.mark.parametrize("path", ["/api/v1/namespaces/{namespace}/secrets", "/api/v1/namespaces/kafka/pods", "/"])
def test_what_is_not_on_the_list_is_not_asked(path: str):
    with pytest.raises(ValueError, match="not on the list"):
        api("http://127.0.0.1:1").get(path, namespace="kafka")


def test_the_list_has_no_verb_but_get_and_no_secrets():
    assert {request.split()[0] for request in READS} == {"GET"}
    assert not [
        request for request in READS if "secret" in request or request.endswith(("/exec", "/proxy", "/portforward"))
    ]


def test_names_can_not_lead_to_another_path():
    asked: list[str] = []
    with server(lambda _path, _query: page([]), asked) as address:
        asker = api(address)
        asker.items(reads.PODS, namespace="../../../apis/apps/v1/x?y=")
        asker.close()
    assert asked == ["GET /api/v1/namespaces/..%2F..%2F..%2Fapis%2Fapps%2Fv1%2Fx%3Fy%3D/pods?limit=500"]


def test_a_list_is_read_page_by_page():
    pages = {"": page([{"n": 1}], "a/b="), "a/b=": page([{"n": 2}], "c"), "c": page([{"n": 3}])}
    asked: list[str] = []
    with server(lambda _path, query: pages[query.get("continue", [""])[0]], asked) as address:
        asker = api(address)
        assert [item["n"] for item in asker.items(reads.PODS, namespace="kafka")] == [1, 2, 3]
        asker.close()
    assert all("limit=500" in address for address in asked)


def test_a_list_whose_end_is_lost_is_no_list():
    def answer(_path: str, query: dict[str, list[str]]) -> tuple[int, bytes]:
        return (
            (410, b'{"message": "The provided continue parameter is too old"}')
            if query.get("continue")
            else page([{}], "x")
        )

    with server(answer) as address:
        assert "ask again" in str(failure(address))


def test_a_list_that_never_ends_is_not_read_for_ever(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(seam, "MOST_PAGES", 3)
    with server(lambda _path, _query: page([{}], "more")) as address:
        assert "more than we read" in str(failure(address))


def test_an_answer_that_is_too_long_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(seam, "MOST_BYTES", 1 << 20)
    with server(lambda _path, _query: (200, b" " * (10 << 20))) as address:
        error = failure(address)
    assert isinstance(error, Garbled)
    assert "more than 1 MB" in str(error)


def test_a_redirect_is_not_followed():
    with server(lambda _path, _query: (302, b"")) as address:
        assert "answered 302" in str(failure(address))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"{}",
        b'{"kind": "PodList"}',
        b'{"kind": "Pod", "metadata": {}, "items": []}',
        b'{"kind": "PodList", "metadata": {}, "items": {}}',
        b'{"kind": "PodList", "metadata": {}, "items": [1]}',
        b"[" * 100_000,
        b"\xff\xfe",
        b"<html>login</html>",
    ],
)
def test_an_answer_that_is_no_list_is_garbled(body: bytes):
    with server(lambda _path, _query: (200, body)) as address:
        assert isinstance(failure(address), Garbled)


def test_an_answer_that_drips_ends_with_our_patience():
    import socket
    import time

    listener = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def drip() -> None:
        peer, _ = listener.accept()
        with peer, contextlib.suppress(OSError):
            peer.recv(65536)
            peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while not over.wait(0.1):
                peer.sendall(b" ")

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    start = time.monotonic()
    error = failure(f"http://127.0.0.1:{listener.getsockname()[1]}", 3.0)
    over.set()
    thread.join()
    listener.close()
    assert isinstance(error, TimedOut)
    assert time.monotonic() - start < 2.0 + LATE
