"""ZooKeeper: each server asked by four-letter words or by its admin server, with questions that only read."""

from collections.abc import Mapping
from typing import Any, Final

from runbook.answers.zookeeper import READS, described
from runbook.connections.zookeeper.ensemble import ZooKeeper
from runbook.connections.zookeeper.settings import read_settings
from runbook.connections.zookeeper.words import tls_context
from runbook.model.probe import Deadline
from runbook.recording.question import opened

__all__ = ["ADDRESS", "READS", "ZooKeeper", "connect", "described", "prepare", "settings_at", "tls_settings"]

ADDRESS: Final = "servers"
"""The setting that names each server and says where it is."""


def prepare() -> None:
    """Load the HTTP library, which the admin server is asked with."""
    import requests  # noqa: F401 - loading is the purpose


def connect(settings: Mapping[str, Any], clock: Deadline) -> ZooKeeper:
    """Prepare a connection; nothing is sent before the first question.

    Args:
        settings: `servers`, name -> `address`, `admin`, `rack`, `machine`; `ca` and so on where TLS is spoken.
        clock: the time for everything that will be asked.

    Raises:
        Misconfigured: the settings can't be used.
    """
    tls = opened(clock, "zookeeper TLS", lambda: tls_context(settings), lambda: None)
    return ZooKeeper(read_settings(settings), settings, tls, clock)


def settings_at(address: str) -> dict[str, Any]:
    """Return the settings for a server at host:port, asked in both ways."""
    return {ADDRESS: {"by-word": {"address": address}, "by-http": {"address": address, "admin": address}}}


def tls_settings(authority: str) -> dict[str, Any]:
    """Return the settings that turn TLS on, trusting the certificates in one PEM file."""
    return {"ca": authority}
