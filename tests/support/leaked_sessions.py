"""A client that opens sessions with ZooKeeper servers until they refuse more, and closes none."""

import socket
import struct
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Final

from kafka_lab.errors import LabError
from kafka_lab.zookeeper import LabZooKeeper

_MOST: Final = 200  # sessions with one server; its limit is 60 where nothing else is set
_SESSION_MS: Final = 40_000
_PING: Final = struct.pack(">iii", 8, -2, 11)  # length, xid of a ping, its operation
_PATIENCE: Final = 5.0  # seconds for an answer, and between two pings
_CONNECT: Final = struct.pack(">iqiqi16s?", 0, 0, _SESSION_MS, 0, 16, b"", False)  # noqa: FBT003 - readOnly, as sent


@contextmanager
def leaked(servers: Sequence[LabZooKeeper]) -> Iterator[None]:
    """Keep all sessions that these servers let an address have.

    Raises:
        LabError: a server took more than any limit that is set.
    """
    over = threading.Event()
    with ExitStack() as stack:
        held = [session for server in servers for session in _sessions(server, stack)]
        pinging = threading.Thread(target=_keep_alive, args=(held, over), daemon=True)
        pinging.start()
        stack.callback(pinging.join)
        stack.callback(over.set)
        yield


def refuses(server: LabZooKeeper) -> Mapping[str, bool]:
    """Whether a server refuses another session from here."""
    with ExitStack() as stack:
        return {f"{server.name} refuses another session": _session(server, stack) is None}


def _sessions(server: LabZooKeeper, stack: ExitStack) -> Iterator[socket.socket]:
    for _ in range(_MOST):
        session = _session(server, stack)
        if session is None:
            return
        yield session
    raise LabError(f"ZooKeeper server {server.name} took {_MOST} sessions of one address")


def _session(server: LabZooKeeper, stack: ExitStack) -> socket.socket | None:
    """A connection with a session on it; None where the server closes it."""
    try:
        connection = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=_PATIENCE))
        connection.sendall(struct.pack(">i", len(_CONNECT)) + _CONNECT)
        return connection if connection.recv(256) else None
    except (ConnectionResetError, BrokenPipeError):
        return None


def _keep_alive(held: Sequence[socket.socket], over: threading.Event) -> None:
    while not over.wait(_PATIENCE):
        for connection in held:
            connection.sendall(_PING)
            connection.recv(256)
