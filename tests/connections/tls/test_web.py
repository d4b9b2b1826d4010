import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from runbook.connections.tls.learning import web_addresses
from runbook.connections.tls.web import status_for_anybody
from runbook.model.errors import CannotLook, Misconfigured
from support.fault_servers import faulty_server
from support.tls_servers import HOST, context


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with the status that the path names, to who has no login."""

    def do_GET(self) -> None:
        """Answer."""
        assert "Authorization" not in self.headers
        self.send_response(int(self.path.strip("/")))
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Keep the terminal clean."""


@contextmanager
def serving(folder: Path | None = None) -> Iterator[int]:
    with http.server.ThreadingHTTPServer((HOST, 0), Handler) as server:
        if folder:
            server.socket = context(folder).wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@pytest.mark.parametrize("status", [200, 302, 401, 403, 500])
def test_the_status_is_what_anybody_gets(status: int):
    with serving() as port:
        assert status_for_anybody(f"http://{HOST}:{port}/{status}", 20) == status


def test_an_outsider_asks_whoever_is_there(tmp_path: Path):
    with serving(tmp_path) as port:
        assert status_for_anybody(f"https://{HOST}:{port}/401", 20) == 401


@pytest.mark.parametrize("fault", ["refused", "black hole", "reset", "closed at once", "garbage"])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_what_is_no_answer_is_said_so(scheme: str, fault: str):
    with faulty_server(fault) as address, pytest.raises(CannotLook):
        status_for_anybody(f"{scheme}://{address}/metrics", 1.0)


def test_an_address_that_is_none_is_said_so():
    with pytest.raises(Misconfigured):
        status_for_anybody("http://a:port/", 1.0)


@pytest.mark.parametrize(
    ("name", "settings", "addresses"),
    [
        ("jolokia", {"agents": {1: "a:8778"}}, [("1", "http://a:8778/jolokia/version")]),
        ("jolokia", {"agents": {1: "https://a:8778/j/"}}, [("1", "https://a:8778/j/version")]),
        ("jolokia", {"applications": {"billing": "a:1"}, "ca": "x"}, [("billing", "https://a:1/jolokia/version")]),
        ("prometheus", {"url": "http://p:9090/"}, [("", "http://p:9090/api/v1/status/buildinfo")]),
        ("prometheus", {"scrape": {1: "a:7071"}}, [("1", "http://a:7071/metrics")]),
        ("prometheus", {"scrape": {1: "http://a:7071/own"}}, [("1", "http://a:7071/own")]),
        ("prometheus", {}, []),
        (
            "schema_registry",
            {"url": ["a:8081", "https://b/apis/ccompat/v7/"]},
            [("", "http://a:8081/config"), ("", "https://b/apis/ccompat/v7/config")],
        ),
        (
            "connect",
            {"workers": {"one": "a:8083", "two": {"address": "https://b:8083", "id": "b:8083"}}},
            [("one", "http://a:8083/"), ("two", "https://b:8083/")],
        ),
    ],
)
def test_addresses_are_completed_to_what_tells_least(
    name: str, settings: dict[str, Any], addresses: list[tuple[str, str]]
):
    assert list(web_addresses(name, settings)) == addresses
