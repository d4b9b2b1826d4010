"""Endpoints that speak TLS, looked at from outside: handshakes, and nothing after them."""

from collections.abc import Mapping
from typing import Any, Final

from runbook.answers.tls import HANDSHAKE, WEB_REQUEST
from runbook.connections.tls.outside import Outside
from runbook.connections.tls.settings import BUILDS_ON
from runbook.model.errors import Misconfigured
from runbook.model.probe import Deadline

__all__ = [
    "ADDRESS",
    "BUILDS_ON",
    "HANDSHAKE",
    "READS",
    "WEB_REQUEST",
    "Outside",
    "connect",
    "described",
    "prepare",
    "settings_at",
]

ADDRESS: Final = "endpoints"
"""The setting that names endpoints beside those that are learned."""

READS: Final = (HANDSHAKE, WEB_REQUEST)
"""Everything a connection sends by itself; what it learns endpoints by is on the list of the connection to Kafka."""


def described(request: str) -> dict[str, Any]:
    """A request in the words of its protocol."""
    if request == WEB_REQUEST:
        return {"method": "GET", "path": "{address}"}
    return {"handshake": "TLS 1.0 to 1.3", "endpoint": request.rpartition(" ")[2]}


def prepare() -> None:
    """Load the TLS library."""
    from OpenSSL import SSL, crypto  # noqa: F401 - loading is the purpose


def connect(settings: Mapping[str, Any], clock: Deadline) -> Outside:
    """Prepare a connection; nothing is sent before the first question.

    Args:
        settings: `endpoints` and `ca`; and, put in by the engine, those of the connections that it builds on.
        clock: the time for everything that will be tried.

    Raises:
        Misconfigured: the settings can't be used, or the TLS library is missing.
    """
    try:
        prepare()
    except ImportError as error:
        from runbook.plugins.extras import missing

        raise Misconfigured(missing(str(error.name)) or str(error)) from error
    return Outside(settings, clock)


def settings_at(address: str) -> dict[str, Any]:
    """Return the settings for one endpoint at host:port, which shows metrics too."""
    return {ADDRESS: [address], "prometheus": {"url": f"http://{address}"}}
