"""The agents of many JVMs, asked side by side, each once."""

import threading
from collections.abc import Mapping, Sequence
from typing import TypeVar

from runbook.connections._http import Web, each
from runbook.connections.jolokia import bulk
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Gap
from runbook.formats.metrics import Metric, Sheet, Sheets
from runbook.formats.metrics.asked import APPLICATIONS, BROKERS, metrics
from runbook.formats.metrics.broker import IDENTITY
from runbook.formats.metrics.table import name_of, not_named, require_identity

K = TypeVar("K", int, str)


class Jolokia:
    """Metrics through Jolokia. Every JVM is asked once per connection, whatever number of probes ask."""

    def __init__(self, web: Web, brokers: Mapping[int, str], applications: Mapping[str, str] | None) -> None:
        """Ask these addresses, by node id and by application."""
        self._web = web
        self._brokers, self._applications = brokers, applications
        self._lock = threading.Lock()
        self._known: dict[str, Sheets] = {}

    def close(self) -> None:
        """Close all connections."""
        self._web.close()

    def brokers(self) -> Sheets:
        """Return a sheet for each broker and controller that answered."""
        with self._lock:
            if "brokers" not in self._known:
                asked = (IDENTITY, *metrics(BROKERS))
                told = self._ask(self._brokers, asked) if self._brokers else not_named("agents", "jolokia")
                self._known["brokers"] = told
            return self._known["brokers"]

    def applications(self) -> Sheets:
        """Return a sheet for each application that answered."""
        with self._lock:
            if "applications" not in self._known:
                named = self._applications
                told = not_named("applications", "jolokia") if named is None else None
                self._known["applications"] = told or self._ask(named or {}, metrics(APPLICATIONS))
            return self._known["applications"]

    def _ask(self, addresses: Mapping[K, str], asked: Sequence[Metric]) -> Sheets:
        questions = bulk.questions(asked)
        body = bulk.body(questions)

        def ask(jvm: K, url: str) -> Sheet:
            sheet = bulk.read(self._web.post_json(url, body), questions, jvm)
            require_identity(sheet)
            return sheet

        sheets, gaps = [], []
        for jvm, answer in each(addresses, ask, self._web.clock).items():
            if isinstance(answer, CannotLook):
                keys: dict[str, str | int] = {"broker": jvm} if isinstance(jvm, int) else {}
                gaps.append(Gap(f"the Jolokia agent of {name_of(jvm)} ({addresses[jvm]}) {answer}", keys))
            else:
                sheets.append(answer)
        return sheets, gaps
