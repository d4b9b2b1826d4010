"""ZooKeeper servers on loopback that answer as they were recorded, or as a test says; for tests of several rooms."""

import contextlib
import importlib
import json
import socket
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from runbook.connections.zookeeper import connect
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from support.http_servers import Answer, Asked, http_server

RECORDED = Path(__file__).parents[1] / "connections" / "zookeeper" / "recorded"
REFUSED = "{} is not executed because it is not in the whitelist.\n"


@contextlib.contextmanager
def word_server(answers: Mapping[str, str | bytes]) -> Iterator[tuple[str, list[str]]]:
    """Answer four-letter words; gives host:port, and the words that came. Others are not on its list."""
    listener = socket.create_server(("127.0.0.1", 0))
    asked: list[str] = []

    def serve(peer: socket.socket) -> None:
        with peer, contextlib.suppress(OSError):
            word = peer.recv(4).decode()
            asked.append(word)
            answer = answers.get(word, REFUSED.format(word))
            peer.sendall(answer if isinstance(answer, bytes) else answer.encode())

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"127.0.0.1:{listener.getsockname()[1]}", asked
    finally:
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()


class Played:
    """A recorded ensemble of three; its answers may be changed before the first question.

    A server without any answer is one that is down.
    """

    def __init__(self, name: str, *, admin: bool = False) -> None:
        """Play a recording, over words or over the admin server."""
        text = RECORDED.joinpath(f"{name}.json").read_text("utf-8")
        self.answers: dict[str, dict[str, Any]] = json.loads(text)
        self.of_one: dict[str, dict[str, Any]] = {server: {} for server in self.answers}
        self._admin = admin

    def forbid(self, *words: str, server: str = "") -> None:
        """Take words off the lists of all servers, or of one."""
        for name, answers in self.answers.items():
            if server in ("", name):
                for word in words:
                    answers.pop(word, None)

    @contextlib.contextmanager
    def connection(self) -> Iterator[Any]:
        """Start the servers and connect."""
        with contextlib.ExitStack() as stack:
            servers = {}
            for name, answers in self.answers.items():
                entry = dict(self.of_one[name])
                entry["address"] = stack.enter_context(word_server(answers))[0] if answers else _nowhere()
                if self._admin:
                    entry["admin"] = stack.enter_context(_admin_server(answers)) if answers else _nowhere()
                servers[name] = entry
            zookeeper = connect({"servers": servers}, Deadline(60, patience=20))
            yield zookeeper
            zookeeper.close()

    def observe(self, probe: str) -> Fact:
        """Put a probe to it, as a worker does."""
        module = importlib.import_module(f"runbook.probes.{probe}")
        with self.connection() as zookeeper:
            return tabulate(probe, module.PROBE.columns, module.observe(zookeeper))

    def rows(self, probe: str) -> dict[str, dict[str, Any]]:
        """Put a probe and give its rows by their first key."""
        key = next(iter(importlib.import_module(f"runbook.probes.{probe}").PROBE.columns)).name
        return {row[key]: row for row in self.observe(probe).rows()}


@contextlib.contextmanager
def _admin_server(answers: Mapping[str, Any]) -> Iterator[str]:
    def answer(asked: Asked) -> Answer:
        text = answers.get(asked.path.rpartition("/commands/")[2])
        return Answer(b"no such command", 404) if text is None else Answer(text.encode())

    with http_server(answer) as (place, _):
        yield place


def _nowhere() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"127.0.0.1:{listener.getsockname()[1]}"
