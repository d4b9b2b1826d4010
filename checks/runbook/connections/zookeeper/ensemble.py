"""All servers of an ensemble, asked side by side, each question once for each server."""

import ssl
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct

from runbook.answers.zookeeper import CLIENTS, CONFIGURATION, MONITOR, STATE, ServerQuestion, Znode
from runbook.connections._http import each, web
from runbook.connections._memory import Memory
from runbook.connections.zookeeper import by_admin, by_word, words
from runbook.connections.zookeeper.settings import ReachedServer
from runbook.connections.zookeeper.tree import read_nodes
from runbook.formats.zookeeper import Answers, ServerAddress
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap
from runbook.model.probe import Deadline
from runbook.recording.pool import Pool
from runbook.recording.question import question


class _NodesRead(Struct):
    """Nodes, and the ids of our own sessions in which they were read."""

    nodes: list[Znode]
    sessions: list[int]


class ZooKeeper:
    """The servers that the inventory names. Each is asked by words, or by its admin server where that is given."""

    def __init__(
        self, servers: Sequence[ReachedServer], settings: Mapping[str, Any], tls: ssl.SSLContext | None, clock: Deadline
    ) -> None:
        """Ask these."""
        self._settings = settings
        self._servers = {server.place.name: server for server in servers}
        self._tls = tls
        self.clock = clock
        self._web = web(settings, clock, most=words.MOST)
        self._memory = Memory()
        self._session = threading.Lock()  # our own session is none of the clients that servers are asked for
        self._own: set[int] = set()

    def close(self) -> None:
        """Close all connections."""
        self._web.close()

    def places(self) -> Sequence[ServerAddress]:
        """The servers, in the order of the inventory."""
        return [server.place for server in self._servers.values()]

    def states(self) -> Answers:
        """How each is."""
        return self._once(STATE)

    def monitors(self) -> Answers:
        """What each measures."""
        return self._once(MONITOR)

    def configurations(self) -> Answers:
        """How each is configured, and whom it knows as members."""
        return self._once(CONFIGURATION)

    def clients(self) -> Answers:
        """Who is connected to each, our own session left out."""
        with self._session:
            answers, gaps = self._once(CLIENTS)
        others = {
            name: [client for client in found if client.session not in self._own] for name, found in answers.items()
        }
        return others, gaps

    def nodes(self) -> list[Znode]:
        """Kafka's nodes and whom they let do what, as any one of the servers tells a stranger.

        Raises:
            CannotLook: none does.
        """
        return self._memory.once("nodes", self._read_nodes)

    def _read_nodes(self) -> list[Znode]:
        with self._session:
            read = self._ask_nodes()
            self._own.update(read.sessions)
            return read.nodes

    @question("zookeeper nodes")
    def _ask_nodes(self) -> _NodesRead:
        own: list[int] = []
        try:
            nodes = read_nodes([*self._servers.values()], self._settings, self.clock.request(), own.append)
        finally:
            self._own.update(own)  # a session that failed is ours too
        return _NodesRead(nodes, own)

    def overview(self) -> tuple[Answers, Answers, Answers]:
        """States, configurations and monitors, at the same time: a server that hangs costs its time once."""
        with Pool(3, thread_name_prefix="zookeeper") as pool:
            states, configurations, monitors = pool.map(self._once, (STATE, CONFIGURATION, MONITOR))
        return states, configurations, monitors

    def _by_word(self, server: ReachedServer, question: ServerQuestion, share: float = 1.0) -> Any:
        return by_word.READERS[question](self._word(server.place, question.word, share))

    @question("zookeeper word", without=("share",))
    def _word(self, place: ServerAddress, word: str, share: float) -> str:
        return words.ask(place, word, self._tls, self.clock.request() * share)

    def _by_admin(self, server: ReachedServer, question: ServerQuestion) -> Any:
        bodies = [self._web.get(f"{server.admin}/{command}") for command in question.commands]
        return by_admin.READERS[question]([by_admin.document(body) for body in bodies])

    def _once(self, question: ServerQuestion) -> Answers:
        return self._memory.once(question.word, lambda: self._ask_each(question))

    def _ask_each(self, question: ServerQuestion) -> Answers:
        def ask(name: str, _: str) -> Any:
            server = self._servers[name]
            if question is CLIENTS:  # whose connection a session had is told at another time
                with suppress(by_word.SessionEnds):
                    return self._by_admin(server, question) if server.admin else self._by_word(server, question)
            if not server.admin:
                return self._by_word(server, question)
            if question is CONFIGURATION:  # only the word tells how votes are counted
                with suppress(CannotLook):
                    return self._by_word(server, question, share=0.5)
            return self._by_admin(server, question)

        labels = {name: server.label for name, server in self._servers.items()}
        answers: dict[str, Any] = {}
        gaps = []
        for name, answer in each(labels, ask, self.clock).items():
            if isinstance(answer, CannotLook):
                gaps.append(Gap.of(answer, {"server": name}, f"{labels[name]} {answer}", self._servers[name].where))
            else:
                answers[name] = answer
        return answers, gaps
