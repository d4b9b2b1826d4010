"""HTTP servers on loopback that answer as a test tells them, and note what they were asked."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


class Asked(NamedTuple):
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Answer(NamedTuple):
    """What is answered."""

    body: bytes
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


@contextlib.contextmanager
def http_server(answer: Callable[[Asked], Answer]) -> Iterator[tuple[str, list[Asked]]]:
    """Serve; gives host:port, and the list of requests, which grows."""
    asked: list[Asked] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._serve()

        def do_POST(self) -> None:
            self._serve()

        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            one = Asked(self.command, self.path, dict(self.headers), body)
            asked.append(one)
            answered = answer(one)
            with contextlib.suppress(OSError):
                self.send_response(answered.status)
                for name, value in answered.headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answered.body)))
                self.end_headers()
                self.wfile.write(answered.body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()
