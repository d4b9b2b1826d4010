"""A Kubernetes cluster: how it is reached, and what is read from it; nothing is ever written."""

import importlib
from collections.abc import Mapping
from typing import Any, Final

from runbook.answers.kubernetes.reads import READS, described
from runbook.connections.kubernetes.api import Api
from runbook.connections.kubernetes.reader import Kubernetes
from runbook.connections.kubernetes.role import artefacts
from runbook.connections.kubernetes.settings import access
from runbook.model.probe import Deadline

__all__ = [
    "ADDRESS",
    "READS",
    "Kubernetes",
    "artefacts",
    "connect",
    "described",
    "prepare",
    "settings_at",
    "tls_settings",
]

ADDRESS: Final = "server"
"""The setting that says where the API server is; a kubeconfig says it too."""


def prepare() -> None:
    """Load the client library, which takes longer than the first request."""
    importlib.import_module("kubernetes.client")


def connect(settings: Mapping[str, Any], clock: Deadline) -> Kubernetes:
    """Prepare a connection; nothing is sent before the first question.

    Args:
        settings: as listed in `settings.SETTINGS`, secrets already resolved.
        clock: the time for everything that will be asked.

    Raises:
        Misconfigured: a setting, or the kubeconfig it names, can't be used.
    """
    found = access(settings, clock)
    return Kubernetes(Api(found, clock), found)


def settings_at(address: str) -> dict[str, Any]:
    """Return the settings for an API server at host:port."""
    clients = [{"name": "billing", "config_map": "billing", "key": "producer.properties"}]
    return {ADDRESS: f"https://{address}", "namespace": "kafka", "clients": clients, "logs": True}


def tls_settings(authority: str) -> dict[str, Any]:
    """Return the setting that trusts the certificates in one PEM file; TLS itself is always on."""
    return {"ca": authority}
