"""An imitation of S3, as far as `aws s3 sync` asks it: list, put, delete. It knows one bucket and no rights."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit
from xml.sax.saxutils import escape

from msgspec import Struct


class Stored(Struct, frozen=True):
    """An object: its bytes, and what it is sent with."""

    content: bytes
    media: str
    caching: str


class Bucket(ThreadingHTTPServer):
    """A server that keeps objects in memory, by their names."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Asked)
        self.kept: dict[str, Stored] = {}

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_port}"


class _Asked(BaseHTTPRequestHandler):
    server: Bucket

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """List everything."""
        told = "".join(
            f"<Contents><Key>{escape(name)}</Key><Size>{len(one.content)}</Size>"
            "<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>"
            for name, one in sorted(self.server.kept.items())
        )
        self._answer(200, f"<ListBucketResult><IsTruncated>false</IsTruncated>{told}</ListBucketResult>")

    def do_PUT(self) -> None:
        """Keep an object."""
        content = self.rfile.read(int(self.headers["Content-Length"]))
        media, caching = self.headers.get("Content-Type", ""), self.headers.get("Cache-Control", "")
        self.server.kept[self._name()] = Stored(content, media, caching)
        self._answer(200)

    def do_DELETE(self) -> None:
        """Remove an object."""
        self.server.kept.pop(self._name(), None)
        self._answer(204)

    def _name(self) -> str:
        return unquote(urlsplit(self.path).path).removeprefix("/").partition("/")[2]

    def _answer(self, status: int, body: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())


@contextmanager
def running_bucket() -> Iterator[Bucket]:
    """A bucket that is asked over the loopback interface."""
    with Bucket() as bucket:
        thread = threading.Thread(target=bucket.serve_forever)
        thread.start()
        try:
            yield bucket
        finally:
            bucket.shutdown()
            thread.join()
