"""Schema Registry: what it holds and under which rules, in Confluent's REST API, whoever speaks it. It is only read."""

from collections.abc import Mapping
from typing import Any, Final

from runbook.answers.schema_registry import reads
from runbook.answers.schema_registry.reads import READS
from runbook.connections._http import address, check_names, web
from runbook.connections.schema_registry.proposals import PROPOSALS, read_proposals
from runbook.connections.schema_registry.registry import Registry
from runbook.model.errors import Misconfigured
from runbook.model.probe import Deadline

__all__ = ["ADDRESS", "READS", "Registry", "connect", "described", "prepare", "settings_at", "tls_settings"]

ADDRESS: Final = "url"
"""The setting that says where the registry is: one address, or a list with those of all its instances."""

_MOST = 64 << 20  # bytes; a page of 1,000 schemas of 10 kB has 10 MB. Our judgement
_EXAMPLE = "as in http://registry:8081, or a list of the addresses of all instances"


def prepare() -> None:
    """Load the HTTP library."""
    import requests  # noqa: F401 - loading is the purpose


def connect(settings: Mapping[str, Any], clock: Deadline) -> Registry:
    """Prepare a connection; nothing is sent before the first question.

    Args:
        settings: `url`, `proposals` (see `proposals.py`), and how to log in.
        clock: the time for everything that will be asked.

    Raises:
        Misconfigured: the settings can't be used.
    """
    check_names(settings, (ADDRESS, PROPOSALS), "schema_registry")
    given = settings.get(ADDRESS)
    listed = given if isinstance(given, list) else [given]
    if not given or not all(listed):
        raise Misconfigured(f"schema_registry needs `{ADDRESS}`, {_EXAMPLE}")
    instances = [address(entry, "/", settings, ADDRESS).rstrip("/") for entry in listed]
    if len(set(instances)) < len(instances):
        raise Misconfigured(f"{ADDRESS} of schema_registry names an instance twice: write each once")
    return Registry(web(settings, clock, most=_MOST), instances, read_proposals(settings.get(PROPOSALS)))


def settings_at(address: str) -> dict[str, Any]:
    """Return the settings for an instance at host:port."""
    return {ADDRESS: address}


def tls_settings(authority: str) -> dict[str, Any]:
    """Return the settings that turn TLS on, trusting the certificates in one PEM file."""
    return {"ca": authority}


def described(request: str) -> dict[str, Any]:
    """A request as HTTP has it."""
    return reads.described(request)
