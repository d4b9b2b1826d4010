"""Hosts over SSH: how they are reached, and what is read on them; nothing is ever written."""

import importlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from runbook.answers.ssh import FileInfo
from runbook.answers.ssh.commands import COMMANDS, FOLDERS, Command
from runbook.answers.ssh.processes import JavaProcess
from runbook.connections.ssh.host import Host
from runbook.connections.ssh.hosts import Hosts
from runbook.connections.ssh.settings import SshSettings
from runbook.model.probe import Deadline

__all__ = [
    "ADDRESS",
    "READS",
    "Command",
    "FileInfo",
    "Host",
    "Hosts",
    "JavaProcess",
    "artefacts",
    "connect",
    "described",
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


def connect(settings: Mapping[str, Any], clock: Deadline) -> Hosts:
    """Prepare connections; nothing is sent before the first question.

    Args:
        settings: which hosts there are and how to log in, secrets already resolved.
        clock: the time for everything that will be asked.

    Raises:
        Misconfigured: the settings or ssh_config can't be used.
    """
    return Hosts(SshSettings(settings, clock), clock)


def settings_at(address: str) -> dict[str, Any]:
    """Return the settings for a host whose sshd is at host:port."""
    return {ADDRESS: address, "clients": [{"name": "billing", "host": address, "path": "/opt/billing/a.properties"}]}


def described(request: str) -> dict[str, Any]:
    """A command as the argument vector it is; what is not fixed in it, as the pattern of what may stand there."""
    [command] = [command for command in COMMANDS if command.shown() == request]
    return {"command": command.name, "argv": command.listed()}


def artefacts(_: Sequence[str]) -> dict[str, str]:
    """The list that the forced command goes by."""
    allowed = {command.name: command.listed() for command in COMMANDS}
    return {"ssh-allow-list": json.dumps({"folders": FOLDERS, "allowed": allowed}, indent=2) + "\n"}
