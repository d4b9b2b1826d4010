"""Files that the inventory lists: of brokers and of clients, logs and configuration. Read, never written."""

from collections.abc import Mapping
from typing import Any, Final

from runbook.answers.files import READS
from runbook.connections.files.reader import Files
from runbook.connections.files.settings import FilesSettings
from runbook.model.probe import Deadline

__all__ = ["ADDRESS", "READS", "Files", "connect", "settings_at"]

ADDRESS: Final = "gc_logs"
"""The setting that says where GC logs are."""


def connect(settings: Mapping[str, Any], clock: Deadline) -> Files:
    """Prepare to read; nothing is opened before the first question.

    Args:
        settings: which files there are.
        clock: the time for everything that will be asked.

    Raises:
        Misconfigured: the settings can't be used.
    """
    return Files(FilesSettings(settings), clock)


def settings_at(address: str) -> dict[str, Any]:
    """Return the settings for files of which none is there: no file has an address of the network."""
    folder = f"/nonexistent/{address}"
    return {
        ADDRESS: [
            {"broker": 1, "path": f"{folder}/kafkaServer-gc.log"},
            {"client": "billing", "path": f"{folder}/gc.log"},
        ],
        "clients": [{"name": "billing", "path": f"{folder}/producer.properties"}],
        "broker_logging": [{"broker": 1, "path": f"{folder}/log4j2.yaml"}],
        "logs": [{"client": "billing", "path": f"{folder}/billing.log"}],
        "mirror_maker": [f"{folder}/mm2.properties"],
    }
