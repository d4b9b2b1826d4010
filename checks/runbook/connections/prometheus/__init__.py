"""Prometheus: metrics from its server, or straight from the exporters' pages; either way with one request a look."""

from collections.abc import Mapping
from typing import Any, Final

from runbook.answers.prometheus import READS
from runbook.connections._http import web
from runbook.connections.prometheus.pages import Pages
from runbook.connections.prometheus.server import PrometheusServer
from runbook.connections.prometheus.settings import PagesSettings, read_settings
from runbook.model.probe import Deadline

__all__ = [
    "ADDRESS",
    "READS",
    "Pages",
    "PrometheusServer",
    "connect",
    "described",
    "prepare",
    "settings_at",
    "tls_settings",
]

ADDRESS: Final = "url"
"""The setting that says where the server is."""


_MOST = 64 << 20  # bytes; a page of a broker with 4,000 partitions has some 10 MB. Our judgement


def prepare() -> None:
    """Load the HTTP library."""
    import requests  # noqa: F401 - loading is the purpose


def connect(settings: Mapping[str, Any], clock: Deadline) -> Pages | PrometheusServer:
    """Prepare a connection; nothing is sent before the first question.

    Args:
        settings: `url` of a server, or `scrape` with an address for each broker; see `settings.py`.
        clock: the time for everything that will be asked.

    Raises:
        Misconfigured: the settings can't be used.
    """
    read = read_settings(settings)
    session = web(settings, clock, most=_MOST)
    return Pages(session, read) if isinstance(read, PagesSettings) else PrometheusServer(session, read)


def settings_at(address: str) -> dict[str, Any]:
    """Return the settings for a server at host:port."""
    return {ADDRESS: address, "selector": {"job": "kafka"}}


def tls_settings(authority: str) -> dict[str, Any]:
    """Return the settings that turn TLS on, trusting the certificates in one PEM file."""
    return {"ca": authority}


def described(request: str) -> dict[str, Any]:
    """A request as HTTP has it."""
    method, path, *_ = request.split()
    return {"method": method, "path": path.removeprefix("{url}")}
