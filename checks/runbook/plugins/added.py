"""What other installed packages add to this one, by entry points: commands and inventories.

Looked for only when it is wanted: reading what is installed costs more than starting.
"""

import os
import pkgutil
import sys
from collections.abc import Callable, Iterator
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
    for text in _declared():
        if f"[{group}]" in text:
            found = dict(_of_group(group, text)) | found
    return found


def _declared() -> Iterator[str]:
    """The entry points of each installed package, as its file has them."""
    for folder in sys.path:
        try:
            inside = os.listdir(folder or ".")  # noqa: PTH208 - half the time of pathlib, as below
        except OSError:
            continue  # it is not there, or a file
        for name in sorted(name for name in inside if name.endswith(".dist-info")):
            try:
                with open(f"{folder or '.'}/{name}/entry_points.txt", encoding="utf-8") as file:  # noqa: PTH123
                    yield file.read()
            except OSError:
                continue  # it has none


def _of_group(group: str, text: str) -> Iterator[tuple[str, str]]:
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            section = line
        elif section == f"[{group}]" and line and not line.startswith(("#", ";")):
            name, _, value = line.partition("=")
            yield name.strip(), value.strip()
