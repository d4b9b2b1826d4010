"""Parameters that a bundle's inventory set, as the runbooks of today know them: checks go and change, bundles stay."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import structs

from runbook.judge.compiled import Compiled
from runbook.parse.inventory import Inventory

Given = Mapping[str, Mapping[str, Any]]
"""Check, or RUNBOOK/* → parameter → value."""


def as_known_today(inventory: Inventory, checks: Iterable[Compiled]) -> tuple[Inventory, list[str]]:
    """The inventory of a bundle without parameters that today's checks do not take, and what was left out.

    Args:
        inventory: as the bundle holds it.
        checks: those that are judged; parameters of other runbooks stay as they are.
    """
    known = _KnownParameters(checks)
    targets = {
        name: structs.replace(
            target,
            environment=structs.replace(target.environment, params=known.of(target.environment.params)),
        )
        for name, target in inventory.targets.items()
    }
    mirrors = [structs.replace(mirror, params=known.of(mirror.params)) for mirror in inventory.mirrors]
    return structs.replace(inventory, targets=targets, mirrors=mirrors), list(dict.fromkeys(known.left_out))


class _KnownParameters:
    def __init__(self, checks: Iterable[Compiled]) -> None:
        self._checks = {check.placed.name: check.check.params for check in checks}
        self._runbooks = {name.partition("/")[0] for name in self._checks}
        self.left_out: list[str] = []

    def of(self, params: Given) -> dict[str, dict[str, Any]]:
        kept = {
            check: {name: value for name, value in given.items() if self._takes(check, name, value)}
            for check, given in params.items()
        }
        return {check: given for check, given in kept.items() if given or check in self._checks}

    def _takes(self, check: str, name: str, value: Any) -> bool:
        runbook = check.partition("/")[0]
        if runbook not in self._runbooks:
            return True
        asked = (
            [check] if check != f"{runbook}/*" else [check for check in self._checks if check.startswith(f"{runbook}/")]
        )
        declared = [self._checks[parameter][name] for parameter in asked if name in self._checks.get(parameter, {})]
        if declared and not any(parameter.fault(value) for parameter in declared):
            return True
        self.left_out.append(f"the bundle sets {name} of {check}, which this version of the runbook does not take")
        return False
