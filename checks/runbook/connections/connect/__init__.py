"""Kafka Connect: the workers of one Connect cluster, asked over REST by GET and nothing else."""

from collections.abc import Mapping
from typing import Any, Final

from runbook.answers.connect import READS, described
from runbook.connections._http import web
from runbook.connections.connect.cluster import Connect
from runbook.connections.connect.settings import WORKERS, read_settings
from runbook.model.probe import Deadline

__all__ = ["ADDRESS", "READS", "Connect", "connect", "described", "prepare", "settings_at", "tls_settings"]

ADDRESS: Final = WORKERS
"""The setting that names each worker and says where its REST interface is."""

_MOST = 64 << 20  # bytes; a thousand connectors with long configurations have a tenth of it. Our judgement


def prepare() -> None:
    """Load the HTTP library."""
    import requests  # noqa: F401 - loading is the purpose


def connect(settings: Mapping[str, Any], clock: Deadline) -> Connect:
    """Prepare a connection; nothing is sent before the first question.

    Args:
        settings: `workers`, name -> address or {address, id}, and how to log in.
        clock: the time for everything that will be asked.

    Raises:
        Misconfigured: the settings can't be used.
    """
    return Connect(web(settings, clock, most=_MOST), read_settings(settings))


def settings_at(address: str) -> dict[str, Any]:
    """Return the settings for a cluster of which one worker is at host:port."""
    return {ADDRESS: {"worker": address}}


def tls_settings(authority: str) -> dict[str, Any]:
    """Return the settings that turn TLS on, trusting the certificates in one PEM file."""
    return {"ca": authority}
