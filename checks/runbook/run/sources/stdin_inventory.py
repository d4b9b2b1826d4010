"""What is piped in, where an inventory says `-` for a file: kept in one, as workers have another standard input."""

import sys
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from runbook.folders import PIPED
from runbook.model.errors import UsageError
from runbook.parse.inventory import Inventory, Target
from runbook.plugins.catalog import catalog

MARK: Final = "-"
LARGEST: Final = 16 << 20
"""Bytes that are read: our judgement, as for a file of manifests."""


def with_standard_input(inventory: Inventory, names: Iterable[str]) -> Inventory:
    """An inventory in which a file stands for `-` in the settings of these environments that may say it.

    The file goes when the process ends.

    Raises:
        UsageError: nothing is piped in, or too much.
    """
    given = inventory.targets
    piped = {name: _with_input(given[name]) for name in names if name in given}
    changed = {name: target for name, target in piped.items() if target is not given[name]}
    return replace(inventory, targets=given | changed) if changed else inventory


def _with_input(target: Target) -> Target:
    connections = {kind: _settings(kind, settings) for kind, settings in target.connections.items()}
    return replace(target, connections=connections) if connections != target.connections else target


def _settings(kind: str, settings: dict[str, Any]) -> dict[str, Any]:
    known = catalog("allowed")
    setting = getattr(known.load(kind), "PIPED", "") if kind in known else ""
    value = settings.get(setting)
    listed = value if isinstance(value, list) else [value]
    if not setting or MARK not in listed:
        return settings
    return settings | {setting: [_file() if item == MARK else item for item in listed]}


@cache
def _file() -> str:
    """The file; read once, however often a run looks."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError(f"`{MARK}` is to be read, and nothing is piped in: helm template … | runbook check …")
    content = sys.stdin.buffer.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise UsageError(f"more than {LARGEST} bytes are piped in: write them into files, and list these")
    _FOLDERS.append(tempfile.TemporaryDirectory(prefix="runbook-piped-"))
    file = Path(_FOLDERS[-1].name) / PIPED
    file.write_bytes(content)
    return str(file)


_FOLDERS: Final[list[tempfile.TemporaryDirectory[str]]] = []
"""Kept alive until the process ends."""
