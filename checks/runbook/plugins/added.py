"""What other installed packages add to this one, by entry points: commands and inventories.

Looked for only when it is wanted: reading what is installed costs more than starting.
"""

import pkgutil
import sys
from collections.abc import Callable
from configparser import ConfigParser
from functools import cache
from pathlib import Path
from types import ModuleType

COMMANDS = "runbook.commands"
"""The group of modules that hold a command, as those of `runbook.cli.commands` do; named as the command is."""

INVENTORIES = "runbook.inventories"
"""The group of functions without arguments that give the file of an inventory, or None; asked where no other stands."""


def added_commands() -> list[str]:
    """The names of commands that other packages add, in order; imports none of them."""
    return sorted(_entries(COMMANDS))


def load_command(name: str) -> ModuleType:
    """Import the module of a command that another package adds."""
    module: ModuleType = pkgutil.resolve_name(_entries(COMMANDS)[name])
    return module


def added_inventory() -> Path | None:
    """The first inventory that another package knows of, by the names of their entry points; None where none does."""
    for _, function in sorted(_entries(INVENTORIES).items()):
        find: Callable[[], Path | None] = pkgutil.resolve_name(function)
        if (file := find()) is not None:
            return file
    return None


@cache
def _entries(group: str) -> dict[str, str]:
    """Name → object, of every installed package; the first on the path counts, as for imports.

    Read from the files themselves (packaging.python.org, "Entry points specification"): `importlib.metadata` finds the
    same, and costs as much as a fifth of `runbook --help`.
    """
    found: dict[str, str] = {}
    for folder in sys.path:
        for file in sorted(Path(folder).glob("*.dist-info/entry_points.txt")):
            if f"[{group}]" in (text := file.read_text("utf-8")):
                found = _of_group(group, text) | found
    return found


def _of_group(group: str, text: str) -> dict[str, str]:
    parser = ConfigParser(delimiters=("=",), interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # names keep their case: documented way
    parser.read_string(text)
    return dict(parser[group])
