"""A server that speaks as much of S3 as a store of results needs, and lies where a test wants it to."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

BUCKET: Final = "evidence"
_PAGE: Final = 1000
_STAMP: Final = "2026-11-22T02:15:00.000Z"
_BYTES: Final = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'


class S3:
    """What it holds, how it was asked, and where it lies.

    Attributes:
        objects: key -> content.
        asked: method and path of each request.
        lists: answers a listing in the place of the truth, if it is set.
        gives: answers for the content of an object, if it is set.
        ended: set once it is served no longer.
    """

    def __init__(self) -> None:
        """Nothing is there, and nothing is a lie."""
        self.objects: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.lists: Callable[[Answer], None] | None = None
        self.gives: Callable[[Answer], None] | None = None
        self.port = 0
        self.ended = threading.Event()

    @property
    def endpoint(self) -> str:
        """Where it is reached."""
        return f"http://127.0.0.1:{self.port}"


def listing(found: dict[str, int], *, truncated: bool = False, token: str = "") -> bytes:
    """An answer of ListObjectsV2: key -> size; maybe with the token of the next page."""
    rows = "".join(
        f"<Contents><Key>{escape(key)}</Key><Size>{size}</Size><LastModified>{_STAMP}</LastModified>"
        '<ETag>"0"</ETag><StorageClass>STANDARD</StorageClass></Contents>'
        for key, size in found.items()
    )
    more = f"<IsTruncated>{str(truncated).lower()}</IsTruncated>"
    more += f"<NextContinuationToken>{token}</NextContinuationToken>" if token else ""
    return f'<?xml version="1.0"?><ListBucketResult {_BYTES}>{more}{rows}</ListBucketResult>'.encode()


class _Server(ThreadingHTTPServer):
    """Serves one bucket."""

    daemon_threads = True

    def __init__(self, held: S3) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.held = held

    def handle_error(self, *_: object) -> None:
        """A client that hangs up is no mistake of ours."""


class Answer(BaseHTTPRequestHandler):
    """Answers one request."""

    protocol_version = "HTTP/1.1"
    server: "_Server"

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    @property
    def held(self) -> S3:
        """The bucket."""
        return self.server.held

    @property
    def key(self) -> str:
        """The object that is meant; "" where it is the bucket."""
        return unquote(urlsplit(self.path).path).removeprefix(f"/{BUCKET}").lstrip("/")

    @property
    def query(self) -> dict[str, str]:
        """What was asked for."""
        asked = parse_qs(urlsplit(self.path).query, keep_blank_values=True)
        return {name: values[0] for name, values in asked.items()}

    def says(self, code: int, body: bytes = b"", **headers: str) -> None:
        """Answer with a whole body."""
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def refuses(self, code: int, name: str) -> None:
        """Answer with an error."""
        self.says(code, f'<?xml version="1.0"?><Error><Code>{name}</Code><Message>{name}</Message></Error>'.encode())

    def begins(self, length: int | None = None, kind: str = "application/octet-stream") -> None:
        """Begin an answer whose body is written by who lies, of this length or of none that is said."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def streams(self, piece: bytes) -> None:
        """Send the same again and again, until the other one hangs up, or the server ends."""
        while not self.held.ended.is_set():
            self.wfile.write(piece)

    def do_GET(self) -> None:
        """List, or give an object."""
        self.held.asked.append(f"GET {self.path}")
        if not self.key:
            if self.held.lists:
                return self.held.lists(self)
            prefix = self.query.get("prefix", "")
            found = {key: len(held) for key, held in sorted(self.held.objects.items()) if key.startswith(prefix)}
            assert len(found) <= _PAGE
            return self.says(200, listing(found), Content_Type="application/xml")
        if self.held.gives:
            return self.held.gives(self)
        if (content := self.held.objects.get(self.key)) is None:
            return self.refuses(404, "NoSuchKey")
        if part := re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range") or ""):
            return self.says(206, content[int(part[1]) : int(part[2]) + 1])
        return self.says(200, content)

    def do_HEAD(self) -> None:
        """Say how large an object is."""
        self.held.asked.append(f"HEAD {self.path}")
        content = self.held.objects.get(self.key)
        if content is None:
            return self.says(404)
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", '"0"')
        self.send_header("Last-Modified", "Sun, 22 Nov 2026 02:15:00 GMT")
        return self.end_headers()

    def do_PUT(self) -> None:
        """Take an object, or copy one."""
        self.held.asked.append(f"PUT {self.path}")
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if source := self.headers.get("x-amz-copy-source"):
            self.held.objects[self.key] = self.held.objects[unquote(source).lstrip("/").removeprefix(f"{BUCKET}/")]
            copied = (
                f'<CopyObjectResult {_BYTES}><ETag>"0"</ETag><LastModified>{_STAMP}</LastModified></CopyObjectResult>'
            )
            return self.says(200, copied.encode(), Content_Type="application/xml")
        self.held.objects[self.key] = content
        return self.says(200, ETag='"0"')

    def do_DELETE(self) -> None:
        """Remove an object."""
        self.held.asked.append(f"DELETE {self.path}")
        self.held.objects.pop(self.key, None)
        self.says(204)

    def do_POST(self) -> None:
        """Remove objects."""
        self.held.asked.append(f"POST {self.path}")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        for key in re.findall(r"<Key>([^<]*)</Key>", body):
            self.held.objects.pop(key, None)
        self.says(200, f"<DeleteResult {_BYTES}/>".encode(), Content_Type="application/xml")


@contextmanager
def s3_server() -> Iterator[S3]:
    """Serve one."""
    held = S3()
    server = _Server(held)
    held.port = server.server_port
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield held
    finally:
        held.ended.set()
        server.shutdown()
        server.server_close()
