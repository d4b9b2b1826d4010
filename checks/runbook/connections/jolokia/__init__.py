"""Jolokia agents: MBeans over HTTP, read and never written, with one request for each JVM and look."""

from collections.abc import Mapping
from typing import Any, Final

from runbook.answers.jolokia import READS
from runbook.connections._http import address, check_names, web
from runbook.connections.jolokia.agents import Jolokia
from runbook.model.errors import Misconfigured
from runbook.model.probe import Deadline

__all__ = ["ADDRESS", "READS", "Jolokia", "connect", "described", "prepare", "settings_at", "tls_settings"]

ADDRESS: Final = "agents"
"""The setting that maps each broker's node id to its agent's address."""


_MOST = 8 << 20  # bytes; the answer of a broker with 90 kinds of request has 0.2 MB. Our judgement


def prepare() -> None:
    """Load the HTTP library."""
    import requests  # noqa: F401 - loading is the purpose


def connect(settings: Mapping[str, Any], clock: Deadline) -> Jolokia:
    """Prepare a connection; nothing is sent before the first question.

    Args:
        settings: `agents` (node id -> address), `applications` (name -> address), and how to log in.
        clock: the time for everything that will be asked.

    Raises:
        Misconfigured: the settings can't be used.
    """
    check_names(settings, (ADDRESS, "applications"), "jolokia")
    brokers = {_node_id(key): url for key, url in _addresses(settings, ADDRESS).items()}
    applications = _addresses(settings, "applications") if "applications" in settings else None
    if not brokers and not applications:
        raise Misconfigured("jolokia needs `agents`, as in {1: http://broker1:8778/jolokia}")
    return Jolokia(web(settings, clock, most=_MOST), brokers, applications)


def settings_at(address: str) -> dict[str, Any]:
    """Return the settings for one broker whose agent is at host:port."""
    return {ADDRESS: {"1": address}}


def tls_settings(authority: str) -> dict[str, Any]:
    """Return the settings that turn TLS on, trusting the certificates in one PEM file."""
    return {"ca": authority}


def _addresses(settings: Mapping[str, Any], name: str) -> dict[str, str]:
    given = settings.get(name, {})
    if not isinstance(given, Mapping):
        raise Misconfigured(f"{name} of jolokia must map names to addresses, as in {{1: http://broker1:8778/jolokia}}")
    places = {str(key): address(url, "/jolokia", settings, f"{name}.{key}") for key, url in given.items()}
    return {key: place.rstrip("/") + "/" for key, place in places.items()}  # without it, agents answer 404


def _node_id(key: str) -> int:
    if not key.isdecimal():
        raise Misconfigured(
            f"agents of jolokia are named by node id, a number, not {key!r}; other JVMs: `applications`"
        )
    return int(key)


def described(_: str) -> dict[str, Any]:
    """The one request as HTTP has it."""
    return {"method": "POST", "path": "/", "body": {"type": "read"}}
