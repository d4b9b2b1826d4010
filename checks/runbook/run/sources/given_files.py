"""Files that a command names to be judged: in place of those of an environment, or as an environment of their own."""

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from runbook.model.errors import UsageError
from runbook.parse.inventory import Inventory, Target, parse_inventory
from runbook.plugins.catalog import catalog

_ALONE: Final = "only the files that the command names are judged"


def kind_of_files() -> tuple[str, str]:
    """The kind of connection whose files may be named so, and its setting that says where they are."""
    known = catalog("allowed")
    return next((kind, setting) for kind in known.names() if (setting := getattr(known.load(kind), "PIPED", "")))


def inventory_of_files(paths: Sequence[str], exclude: Sequence[str] = (), before: str = "") -> Inventory:
    """An inventory of one environment, named as the kind of its files, that has nothing else.

    Args:
        paths: of the files.
        exclude: patterns of those that are left out.
        before: a folder that holds the same paths as they were.
    """
    kind, setting = kind_of_files()
    others = {other: _ALONE for other in catalog("connections").names() if other != kind}
    entry = {kind: {setting: [*paths], **_more(kind, exclude, before)}, "absent": others}
    first = "stdin" if paths[0] == "-" else paths[0]
    return parse_inventory(json.dumps({"environments": {kind: entry}}), first, dt.datetime.now(dt.UTC).date())


def with_files(
    inventory: Inventory, names: Sequence[str], paths: Sequence[str], exclude: Sequence[str] = (), before: str = ""
) -> Inventory:
    """An inventory in which these environments have these files.

    Raises:
        UsageError: one of them has no files at all.
    """
    changed = {name: _with(inventory.targets[name], paths, exclude, before) for name in names}
    return replace(inventory, targets=inventory.targets | changed)


def _with(target: Target, paths: Sequence[str], exclude: Sequence[str], before: str) -> Target:
    kind, setting = kind_of_files()
    settings: Mapping[str, Any] | None = target.connections.get(kind)
    if settings is None:
        raise UsageError(
            f"{target.name} has no {kind}: name another environment, or leave --env and --inventory out: "
            "then the files are judged by themselves"
        )
    given = {**settings, setting: [*paths], **_more(kind, exclude, before)}
    return replace(target, connections=target.connections | {kind: given})


def _more(kind: str, exclude: Sequence[str], before: str) -> dict[str, Any]:
    patterns = {catalog("allowed").load(kind).LEFT_OUT: [*exclude]} if exclude else {}
    return patterns | ({"before": before} if before else {})
