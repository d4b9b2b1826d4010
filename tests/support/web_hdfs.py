"""A file system that speaks as much of WebHDFS as a store of results needs; each request takes its time."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit


class WebHdfs:
    """What it holds, and how it was asked.

    Attributes:
        files: path -> content.
        requests: how many there were.
        most: how many were answered at the same time at most.
    """

    def __init__(self, seconds: float) -> None:
        """Begin with nothing; each request takes so long."""
        self.files: dict[str, bytes] = {}
        self.folders = {"/"}
        self.requests = self.most = self._now = 0
        self._seconds = seconds
        self._lock = threading.Lock()

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Count a request that is being answered."""
        with self._lock:
            self.requests += 1
            self._now += 1
            self.most = max(self.most, self._now)
        time.sleep(self._seconds)
        try:
            yield
        finally:
            with self._lock:
                self._now -= 1

    def status(self, path: str) -> dict[str, object] | None:
        """What FileStatus says of a path."""
        name = path.rpartition("/")[2]
        if path in self.files:
            return {"pathSuffix": name, "type": "FILE", "length": len(self.files[path])}
        return {"pathSuffix": name, "type": "DIRECTORY", "length": 0} if path in self.folders else None

    def listing(self, path: str) -> list[dict[str, object]]:
        """What lies right in a folder."""
        there = [one for one in (*self.folders, *self.files) if one != "/" and (one.rpartition("/")[0] or "/") == path]
        return [found for one in there if (found := self.status(one))]

    def make_folders(self, path: str) -> None:
        """Make a folder, with those above it."""
        parts = path.strip("/").split("/")
        self.folders |= {"/" + "/".join(parts[:depth]) for depth in range(1, len(parts) + 1)}

    def rename(self, path: str, destination: str) -> bool:
        """Move a file, unless something is there."""
        with self._lock:
            if destination in self.files:
                return False
            self.files[destination] = self.files.pop(path)
        return True


class _Server(ThreadingHTTPServer):
    """Serves one file system."""

    def __init__(self, held: WebHdfs) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.held = held


class _Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    protocol_version = "HTTP/1.1"
    server: "_Server"

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Answer a question."""
        with self.server.held.busy():
            path, asked = self._asked()
            if asked["op"] == "OPEN":
                first = int(asked.get("offset", 0))
                length = int(asked.get("length", len(self.server.held.files[path])))
                return self._answer(200, self.server.held.files[path][first : first + length])
            status = self.server.held.status(path)
            if status is None:
                error = {"exception": "FileNotFoundException", "message": f"File does not exist: {path}"}
                return self._say(404, {"RemoteException": error})
            if asked["op"] == "LISTSTATUS":
                return self._say(200, {"FileStatuses": {"FileStatus": self.server.held.listing(path)}})
            return self._say(200, {"FileStatus": status})

    def do_PUT(self) -> None:
        """Make or move something."""
        with self.server.held.busy():
            path, asked = self._asked()
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if asked["op"] == "MKDIRS":
                self.server.held.make_folders(path)
                return self._say(200, {"boolean": True})
            if asked["op"] == "RENAME":
                return self._say(200, {"boolean": self.server.held.rename(path, asked["destination"])})
            if "sent" not in asked:
                return self._elsewhere()
            self.server.held.files[path] = data
            return self._answer(201, b"")

    def do_POST(self) -> None:
        """Append to a file."""
        with self.server.held.busy():
            path, asked = self._asked()
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if "sent" not in asked:
                return self._elsewhere()
            self.server.held.files[path] += data
            return self._answer(200, b"")

    def do_DELETE(self) -> None:
        """Remove a file."""
        with self.server.held.busy():
            path, _ = self._asked()
            return self._say(200, {"boolean": self.server.held.files.pop(path, None) is not None})

    def _asked(self) -> tuple[str, dict[str, str]]:
        parts = urlsplit(self.path)
        path = unquote(parts.path.removeprefix("/webhdfs/v1")).rstrip("/") or "/"
        return path, {name: values[0] for name, values in parse_qs(parts.query).items()}

    def _elsewhere(self) -> None:
        self.send_response(307)
        self.send_header("Location", f"http://127.0.0.1:{self.server.server_port}{self.path}&sent=1")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _say(self, code: int, what: object) -> None:
        self._answer(code, json.dumps(what).encode())

    def _answer(self, code: int, body: bytes) -> None:
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def web_hdfs(seconds: float = 0.0) -> Iterator[tuple[WebHdfs, str]]:
    """Serve one; gives it, and the address of a store in it."""
    held = WebHdfs(seconds)
    server = _Server(held)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield held, f"webhdfs://127.0.0.1:{server.server_port}/results"
    finally:
        server.shutdown()
        server.server_close()
