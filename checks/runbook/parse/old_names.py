"""Names that blocks had before: what data and people bring under them is about the blocks as they are called now.

Here alone an old name becomes the present one. Readers of what comes from outside call it once, where they read.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import structs

from runbook.model.block import Block, Cause, Diagnostic, GateCheck, GateEntry, Procedure, whole_name
from runbook.parse.inventory import Inventory
from runbook.parse.runbook import Runbook


def old_names(books: Iterable[Runbook]) -> dict[str, str]:
    """Old names → present ones, as RUNBOOK/ID, of the blocks of runbooks. A name that a block has now is no old one."""
    blocks = [placed for book in books for placed in book.placed()]
    present = {placed.name for placed in blocks}
    return {old: placed.name for placed in blocks for old in placed.old_names if old not in present}


def present_name(word: str, names: Mapping[str, str]) -> str:
    """A word for a block, RUNBOOK/ID or ID alone: the present name where it is an old one of one block; else itself."""
    found = {now for old, now in names.items() if word in (old, old.rpartition("/")[2])}
    return names.get(word) or (found.pop() if len(found) == 1 else word)


def referring(block: Block, named: Callable[[str], str]) -> Block:
    """A block with each name of another block in it replaced."""

    def gate(entry: GateEntry) -> GateEntry:
        return named(entry) if isinstance(entry, str) else GateCheck(named(entry.check), entry.at)

    match block:
        case Diagnostic():
            causes = [
                structs.replace(cause, checks=[*map(named, cause.checks)], holds=cause.holds and named(cause.holds))
                for cause in block.causes
            ]
            return structs.replace(block, causes=causes)
        case Cause():
            procedure = block.procedure and named(block.procedure)
            verify, before = [*map(named, block.verify)], [*map(named, block.before)]
            return structs.replace(block, procedure=procedure, verify=verify, before=before)
        case Procedure():
            steps = [structs.replace(step, verify=[*map(gate, step.verify)]) for step in block.steps]
            return structs.replace(
                block, steps=steps, before=[*map(gate, block.before)], after=[*map(gate, block.after)]
            )
    return block


def with_first_names(block: Block, runbook: str, books: Iterable[Runbook]) -> Block:
    """A block that names the others by the names that they had first: the same through all their renamings.

    Args:
        block: the block.
        runbook: the name of its runbook.
        books: that runbook and all others that it names.
    """
    first = {placed.name: placed.first_name for book in books for placed in book.placed()}

    def named(word: str) -> str:
        old = first.get(whole_name(word, runbook), word)
        return old if "/" in word else old.rpartition("/")[2]

    return referring(block, named)


def references(block: Block) -> list[str]:
    """Every name of another block that a block holds."""
    found: list[str] = []

    def noted(name: str) -> str:
        found.append(name)
        return name

    referring(block, noted)
    return found


def inventory_of_today(inventory: Inventory, names: Mapping[str, str]) -> Inventory:
    """An inventory whose waivers and parameters name checks as they are called now, each found where it was written."""

    def params(given: Mapping[str, Mapping[str, Any]], *where: str | int) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for check in sorted(given, key=lambda check: check not in names):  # what stands under the present name wins
            now = names.get(check, check)
            if now != check:
                inventory.document.call((*where, "params", check), now)
            found[now] = {**found.get(now, {}), **given[check]}
        return found

    targets = {}
    for name, target in inventory.targets.items():
        of = target.environment
        waivers = [structs.replace(waiver, check=names.get(waiver.check, waiver.check)) for waiver in of.waivers]
        environment = structs.replace(of, waivers=waivers, params=params(of.params, "environments", name))
        targets[name] = structs.replace(target, environment=environment)
    mirrors = [structs.replace(one, params=params(one.params, "mirrors", i)) for i, one in enumerate(inventory.mirrors)]
    return structs.replace(inventory, targets=targets, mirrors=mirrors)
