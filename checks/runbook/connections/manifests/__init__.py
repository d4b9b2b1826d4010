"""Manifests of Kubernetes in files, before they are applied: what is declared, as an API server would give it."""

from collections.abc import Mapping
from typing import Any, Final

from runbook.answers.manifests import READS
from runbook.connections.manifests.reader import Manifests
from runbook.connections.manifests.settings import ManifestSettings
from runbook.model.probe import Deadline

__all__ = ["ADDRESS", "READS", "Manifests", "connect", "settings_at"]

ADDRESS: Final = "paths"
"""The setting that says where manifests are."""


def connect(settings: Mapping[str, Any], clock: Deadline) -> Manifests:
    """Prepare to read; nothing is opened before the first question.

    Args:
        settings: which files there are.
        clock: the time for everything that will be asked.

    Raises:
        Misconfigured: the settings can't be used.
    """
    return Manifests(ManifestSettings.of(settings), clock)


def settings_at(address: str) -> dict[str, Any]:
    """Return the settings for files of which none is there: no file has an address of the network."""
    return {ADDRESS: f"/nonexistent/{address}"}
