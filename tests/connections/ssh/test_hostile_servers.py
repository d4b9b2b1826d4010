"""Servers of SSH that mean harm: each is told as what it is, in its time, and costs no memory."""

import os
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from runbook.answers.ssh.commands import JAVA
from runbook.connections.ssh import connect, prepare
from runbook.model.gap_kind import GapKind
from runbook.model.probe import Deadline
from support.ssh_server import make_key

_DEADLINE = 4.0  # seconds, where it is to be over
_PATIENCE = 60.0  # seconds, where the answer itself ends it: a busy machine reads it late
LATE = 6.0  # seconds more than the deadline, for a busy machine
_MOST = 64 << 10  # KiB of memory more than before


def flood(client: socket.socket) -> None:
    client.sendall(b"\x1b[31mhello ")
    while True:
        client.sendall(b"a" * 65536)


def flood_of_lines(client: socket.socket) -> None:
    while True:
        client.sendall(b"x\r\n" * 10000)


def lines_now_and_then(client: socket.socket) -> None:
    while True:
        client.sendall(b"x\r\n")
        time.sleep(0.1)


def drip(client: socket.socket) -> None:
    for byte in b"SSH-2.0-evil\r\n" * 100:
        client.sendall(bytes([byte]))
        time.sleep(0.5)


def noise(client: socket.socket) -> None:
    client.sendall(b"SSH-2.0-evil\x1b]0;title\x07\r\n\x01\x02\x03\x05")  # a length that no packet has
    while True:
        client.sendall(os.urandom(65536))


def huge_packet(client: socket.socket) -> None:
    client.sendall(b"SSH-2.0-evil\r\n\x7f\xff\xff\xff\x04")
    while True:
        client.sendall(bytes(65536))


def huge_packet_well_formed(client: socket.socket) -> None:
    client.sendall(b"SSH-2.0-evil\r\n\x7f\xff\xff\xfc\x04")
    while True:
        client.sendall(bytes(65536))


def old(client: socket.socket) -> None:
    client.sendall(b"SSH-1.5-old\x1b[2J\r\n")
    time.sleep(1)


def web_server(client: socket.socket) -> None:
    client.sendall(b"HTTP/1.1 400 \x1b[2J\x1b]52;c;ZXZpbA==\x07 Bad\r\n\r\n")


@contextmanager
def serving(behave: Callable[[socket.socket], None]) -> Iterator[int]:
    """A server that does this to whoever connects; gives its port."""

    def one(client: socket.socket) -> None:
        with suppress(OSError), client:
            behave(client)

    def loop() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=one, args=(server.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=loop, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, Any]:
    make_key(tmp_path / "key")
    for name in ("ssh_config", "known_hosts"):
        (tmp_path / name).touch()
    own = {"config": "ssh_config", "known_hosts": "known_hosts", "identity": "key"}
    return {name: str(tmp_path / file) for name, file in own.items()} | {"user": "root", "agent": False}


@pytest.mark.parametrize(
    ("behave", "kind"),
    [
        (flood, GapKind.TIMED_OUT),
        (flood_of_lines, GapKind.GARBLED),
        (lines_now_and_then, GapKind.TIMED_OUT),
        (drip, GapKind.TIMED_OUT),
        (noise, GapKind.GARBLED),
        (huge_packet, GapKind.GARBLED),
        (huge_packet_well_formed, GapKind.GARBLED),
        (old, GapKind.GARBLED),
        (web_server, GapKind.UNREACHABLE),
    ],
)
def test_it_is_a_gap_in_time_and_costs_no_memory(
    behave: Callable[[socket.socket], None], kind: GapKind, settings: dict[str, Any]
) -> None:
    prepare()
    deadline = _DEADLINE if kind is GapKind.TIMED_OUT else _PATIENCE
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with serving(behave) as port:
        place = {"h1": {"address": "127.0.0.1", "port": port}}
        hosts = connect(settings | {"hosts": place}, Deadline(deadline))
        began = time.monotonic()
        answers, gaps = hosts.each(lambda host: host.run(JAVA))
        took = time.monotonic() - began
    assert answers == {}
    assert [gap.kind for gap in gaps] == [kind]
    assert took < deadline + LATE
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < _MOST
