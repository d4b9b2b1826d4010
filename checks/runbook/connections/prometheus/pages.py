"""Exporters' pages, read without a Prometheus server."""

import threading
from collections.abc import Mapping, Sequence
from typing import TypeVar

from runbook.connections._http import Web, each
from runbook.connections.prometheus.settings import PagesSettings
from runbook.engine.errors import CannotLook, Garbled
from runbook.engine.fact import Gap
from runbook.formats.metrics import Metric, Sheet, Sheets, exposition, samples
from runbook.formats.metrics.asked import APPLICATIONS, BROKERS, metrics
from runbook.formats.metrics.broker import IDENTITY
from runbook.formats.metrics.table import name_of, not_named, require_identity

K = TypeVar("K", int, str)


class Pages:
    """Metrics from the pages of JMX exporters. Each is read once per connection, whatever number of probes ask."""

    def __init__(self, web: Web, settings: PagesSettings) -> None:
        """Read these."""
        self._web = web
        self._settings = settings
        self._lock = threading.Lock()
        self._known: dict[str, Sheets] = {}

    def close(self) -> None:
        """Close all connections."""
        self._web.close()

    def brokers(self) -> Sheets:
        """Return a sheet for each broker and controller whose page could be read."""
        with self._lock:
            if "brokers" not in self._known:
                asked = (IDENTITY, *metrics(BROKERS))
                pages = self._settings.brokers
                self._known["brokers"] = self._read(pages, asked) if pages else not_named("scrape", "prometheus")
            return self._known["brokers"]

    def applications(self) -> Sheets:
        """Return a sheet for each application whose page could be read."""
        with self._lock:
            if "applications" not in self._known:
                pages = self._settings.applications
                found = not_named("applications", "prometheus") if pages is None else None
                self._known["applications"] = found or self._read(pages or {}, metrics(APPLICATIONS))
            return self._known["applications"]

    def targets(self) -> str:
        """Say that nobody scrapes: the pages are read by us."""
        return "the inventory names exporters' pages and no Prometheus server that scrapes them"

    def _read(self, pages: Mapping[K, str], asked: Sequence[Metric]) -> Sheets:
        dialect = self._settings.dialect
        wanted = samples.names(asked, dialect)

        def read(jvm: K, url: str) -> Sheet:
            try:
                page = self._web.get(url).decode()
            except UnicodeDecodeError as error:
                raise Garbled("told metrics that are no text") from error
            sheet = samples.sheet(jvm, exposition.read(page, wanted), asked, dialect)
            require_identity(sheet)
            return sheet

        sheets, gaps = [], []
        for jvm, answer in each(pages, read, self._web.clock).items():
            if isinstance(answer, CannotLook):
                keys: dict[str, str | int] = {"broker": jvm} if isinstance(jvm, int) else {}
                gaps.append(Gap(f"the exporter of {name_of(jvm)} ({pages[jvm]}) {answer}", keys))
            else:
                sheets.append(answer)
        return sheets, gaps
