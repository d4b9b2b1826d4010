"""Exporters' pages, read without a Prometheus server."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from runbook.connections._http import Web
from runbook.connections._memory import Memory
from runbook.connections._sheets import ask_each
from runbook.connections.prometheus.settings import PagesSettings
from runbook.formats.metrics import Metric, Sheet, Sheets, exposition, samples
from runbook.formats.metrics.meters import IDENTITY
from runbook.formats.metrics.table import not_named
from runbook.model.errors import Garbled

K = TypeVar("K", int, str)
_NO_SERVER: Final = "the inventory names exporters' pages and no Prometheus server that scrapes them"


class Pages:
    """Metrics from the pages of JMX exporters. Each is read once per connection, whatever number of probes ask."""

    def __init__(self, web: Web, settings: PagesSettings) -> None:
        """Read these."""
        self._web = web
        self._settings = settings
        self._memory = Memory()

    def close(self) -> None:
        """Close all connections."""
        self._web.close()

    def brokers(self, asked: tuple[Metric, ...]) -> Sheets:
        """Return a sheet for each broker and controller whose page could be read."""
        pages = self._settings.brokers
        if not pages:
            return not_named("scrape", "prometheus")
        return self._memory.once(("brokers", asked), lambda: self._read(pages, (IDENTITY, *asked)))

    def applications(self, asked: tuple[Metric, ...]) -> Sheets:
        """Return a sheet for each application whose page could be read."""
        pages = self._settings.applications
        if pages is None:
            return not_named("applications", "prometheus")
        return self._memory.once(("applications", asked), lambda: self._read(pages, asked))

    def targets(self) -> str:
        """Say that nobody scrapes: the pages are read by us."""
        return _NO_SERVER

    def broker_pages(self) -> str:
        """Say that nobody scrapes."""
        return _NO_SERVER

    def _read(self, pages: Mapping[K, str], asked: Sequence[Metric]) -> Sheets:
        dialect = self._settings.dialect
        wanted = samples.names(asked, dialect)

        def read(jvm: K, url: str) -> Sheet:
            try:
                page = self._web.get(url).decode()
            except UnicodeDecodeError as error:
                raise Garbled("answered with metrics that are no text") from error
            return samples.sheet(jvm, exposition.read(page, wanted), asked, dialect)

        return ask_each(pages, read, self._web.clock, "the exporter")
