"""The agents of many JVMs, asked side by side, each once."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from runbook.connections._http import Web
from runbook.connections._memory import Memory
from runbook.connections._sheets import ask_each
from runbook.connections.jolokia import bulk
from runbook.formats.metrics import Metric, Sheet, Sheets
from runbook.formats.metrics.meters import IDENTITY
from runbook.formats.metrics.table import not_named

K = TypeVar("K", int, str)


class Jolokia:
    """Metrics through Jolokia. Every JVM is asked once per connection, whatever number of probes ask."""

    def __init__(self, web: Web, brokers: Mapping[int, str], applications: Mapping[str, str] | None) -> None:
        """Ask these addresses, by node id and by application."""
        self._web = web
        self._brokers, self._applications = brokers, applications
        self._memory = Memory()

    def close(self) -> None:
        """Close all connections."""
        self._web.close()

    def brokers(self, asked: tuple[Metric, ...]) -> Sheets:
        """Return a sheet for each broker and controller that answered."""
        if not self._brokers:
            return not_named("agents", "jolokia")
        return self._memory.once(("brokers", asked), lambda: self._ask(self._brokers, (IDENTITY, *asked)))

    def applications(self, asked: tuple[Metric, ...]) -> Sheets:
        """Return a sheet for each application that answered."""
        named = self._applications
        if named is None:
            return not_named("applications", "jolokia")
        return self._memory.once(("applications", asked), lambda: self._ask(named, asked))

    def _ask(self, addresses: Mapping[K, str], asked: Sequence[Metric]) -> Sheets:
        questions = bulk.questions(asked)
        body = bulk.body(questions)

        def ask(jvm: K, url: str) -> Sheet:
            return bulk.read(self._web.post_json(url, body), questions, jvm)

        return ask_each(addresses, ask, self._web.clock, "the Jolokia agent")
