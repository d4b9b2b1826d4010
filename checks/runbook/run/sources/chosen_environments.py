"""Which environments the words of `--env` mean."""

import fnmatch
from collections.abc import Sequence

from runbook.model.errors import UsageError, did_you_mean
from runbook.parse.inventory import Inventory, Target
from runbook.run.sources.inventories import SHORTEST, hidden_beside


def choose(inventory: Inventory, patterns: Sequence[str]) -> list[Target]:
    """The environments meant: by name or glob; without any, the only one, else the default.

    Raises:
        UsageError: a pattern matches none, or it is not clear which one is meant.
    """
    return _chosen(inventory, patterns, "--env NAME or --env '*'")


def choose_one(inventory: Inventory, patterns: Sequence[str], why: str, option: str = "--env") -> Target:
    """The one environment meant, likewise.

    Args:
        inventory: has the environments.
        patterns: names or globs.
        why: says of what there is one for each environment.
        option: names it.

    Raises:
        UsageError: as above, or more than one is meant.
    """
    chosen = _chosen(inventory, patterns, f"{option} NAME")
    if len(chosen) > 1:
        names = ", ".join(target.name for target in chosen)
        raise UsageError(
            f"{option} {','.join(patterns)} means {len(chosen)} environments, and {why}: name one of {names}"
        )
    return chosen[0]


def _chosen(inventory: Inventory, patterns: Sequence[str], written: str) -> list[Target]:
    names = list(inventory.targets)
    if not names and not {*hidden_beside(inventory)[0]} & {*patterns}:
        raise UsageError(f"{inventory.file} has no environment yet; write one, as in\n    {SHORTEST}")
    if not patterns:
        if len(names) == 1:
            return [inventory.targets[names[0]]]
        if inventory.default:
            return [inventory.targets[inventory.default]]
        raise UsageError(f"which environment? {written}; {inventory.file} has: {', '.join(names)}")
    chosen: list[str] = []
    for pattern in _one_by_one(patterns, names):
        matching = fnmatch.filter(names, pattern)
        if not matching:
            beside, file = hidden_beside(inventory)
            if pattern in beside:
                raise UsageError(f"no environment {pattern} in {inventory.file}; there is one with --inventory {file}")
            every = "all of them are --env '*'; " if pattern == "all" else ""
            remedy = did_you_mean(pattern, names, "runbook env --offline", inventory.default)
            raise UsageError(f"no environment {pattern} in {inventory.file}: {every}{remedy}")
        chosen += [name for name in matching if name not in chosen]
    return [inventory.targets[name] for name in chosen]


def _one_by_one(patterns: Sequence[str], names: Sequence[str]) -> list[str]:
    """Patterns without those lists of several, as in dev,staging, that are no name themselves."""
    return [part for pattern in patterns for part in ([pattern] if pattern in names else pattern.split(","))]
