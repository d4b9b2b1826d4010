"""Connect workers on loopback that answer as they were recorded, or as a test says; for tests of several rooms."""

import contextlib
import importlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from runbook.answers.connect import CONNECTORS
from runbook.connections.connect import Connect, connect
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from support.http_servers import Answer, Asked, http_server

RECORDED = Path(__file__).parents[1] / "connections" / "connect" / "recorded"


class Played:
    """A recorded Connect cluster; answers may be changed before the first question.

    Attributes:
        answers: of each worker, by path; a status instead of a text refuses.
        asked: every request, as it arrived.
    """

    def __init__(self, name: str) -> None:
        recorded = json.loads((RECORDED / f"{name}.json").read_text("utf-8"))
        self.answers: dict[str, dict[str, str | int]] = {worker: entry["answers"] for worker, entry in recorded.items()}
        self.ids: dict[str, str] = {worker: entry["id"] for worker, entry in recorded.items()}
        self.asked: list[Asked] = []

    def change(self, alter: Callable[[dict[str, Any]], None]) -> None:
        """Alter what every worker tells of connectors."""
        for answers in self.answers.values():
            if CONNECTORS in answers:
                connectors = json.loads(str(answers[CONNECTORS]))
                alter(connectors)
                answers[CONNECTORS] = json.dumps(connectors)

    @contextlib.contextmanager
    def connection(self) -> Iterator[Connect]:
        """A connection to it."""
        with contextlib.ExitStack() as stack:
            workers = {}
            for name, answers in self.answers.items():
                place, asked = stack.enter_context(http_server(self._answering(answers)))
                workers[name] = {"address": place if answers else "127.0.0.1:1", "id": self.ids[name]}
                stack.callback(lambda asked=asked: self.asked.extend(asked))  # type: ignore[misc]
            connection = connect({"workers": workers}, Deadline(60, patience=20))
            stack.callback(connection.close)
            yield connection

    def observe(self, probe: str) -> Fact:
        """Put a probe to it, as a worker does."""
        module = importlib.import_module(f"runbook.probes.{probe}")
        with self.connection() as connection:
            return tabulate(probe, module.PROBE.columns, module.observe(connection))

    def rows(self, probe: str, key: str) -> dict[str, dict[str, Any]]:
        """The rows of a probe, by a column."""
        return {row[key]: row for row in self.observe(probe).rows()}

    @staticmethod
    def _answering(answers: dict[str, str | int]) -> Callable[[Asked], Answer]:
        def answer(asked: Asked) -> Answer:
            said = answers.get(asked.path, 404)
            return Answer(b'{"error_code":1,"message":"no"}', said) if isinstance(said, int) else Answer(said.encode())

        return answer
