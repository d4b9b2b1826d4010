"""What other installed packages add to this one, by entry points: commands and inventories.

Looked for only when it is wanted: reading what is installed costs more than starting.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

COMMANDS = "runbook.commands"
"""The group of modules that hold a command, as those of `runbook.cli.commands` do; named as the command is."""

INVENTORIES = "runbook.inventories"
"""The group of functions without arguments that give the file of an inventory, or None; asked where no other stands."""


def added_commands() -> list[str]:
    """The names of commands that other packages add, in order; imports none of them."""
    return sorted(_entries(COMMANDS))


def load_command(name: str) -> ModuleType:
    """Import the module of a command that another package adds."""
    module: ModuleType = _entries(COMMANDS)[name].load()
    return module


def added_inventory() -> Path | None:
    """The first inventory that another package knows of, by the names of their entry points; None where none does."""
    for _, entry in sorted(_entries(INVENTORIES).items()):
        find: Callable[[], Path | None] = entry.load()
        if (file := find()) is not None:
            return file
    return None


@cache
def _entries(group: str) -> dict[str, Any]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - it costs a third of `--help`

    return {entry.name: entry for entry in entry_points(group=group)}
