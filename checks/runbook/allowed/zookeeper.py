"""ZooKeeper's admin servers: asked over HTTP, whose logins want TLS."""

from collections.abc import Iterator, Mapping
from typing import Any

from runbook.allowed import _plain


def remarks(settings: Mapping[str, Any]) -> Iterator[str]:
    """What is worth a word; four-letter words take no login, and are no HTTP."""
    servers = settings.get("servers")
    of_each = servers.values() if isinstance(servers, dict) else ()
    admins = [settings["admin"] for settings in of_each if isinstance(settings, dict) and "admin" in settings]
    yield from _plain.remarks({**settings, "servers": admins})
