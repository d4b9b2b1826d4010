"""Hosts over SSH: how they are reached, and what is read on them; nothing is ever written."""

import importlib
from collections.abc import Mapping
from typing import Any, Final

from runbook.connections.ssh.commands import COMMANDS, Command
from runbook.connections.ssh.host import FileInfo, Host
from runbook.connections.ssh.hosts import Hosts
from runbook.connections.ssh.processes import JavaProcess
from runbook.connections.ssh.settings import Settings
from runbook.engine.probe import Clock

__all__ = [
    "ADDRESS",
    "READS",
    "Command",
    "FileInfo",
    "Host",
    "Hosts",
    "JavaProcess",
    "connect",
    "prepare",
    "settings_at",
]

ADDRESS: Final = "hosts"
"""The setting that says which hosts there are."""

READS: Final = tuple(command.shown() for command in COMMANDS)
"""Every command that may be run on a host; none changes anything."""


def prepare() -> None:
    """Load the client library, which takes longer than a handshake."""
    importlib.import_module("paramiko")


def connect(settings: Mapping[str, Any], clock: Clock) -> Hosts:
    """Prepare connections; nothing is sent before the first question.

    Args:
        settings: which hosts there are and how to log in, secrets already resolved.
        clock: the time for everything that will be asked.

    Raises:
        Misconfigured: the settings or ssh_config can't be used.
    """
    return Hosts(Settings(settings), clock)


def settings_at(address: str) -> dict[str, Any]:
    """Return the settings for a host whose sshd is at host:port."""
    return {ADDRESS: address}
