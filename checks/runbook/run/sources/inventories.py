"""Find and read the inventory that is in force."""

import datetime as dt
import os
from pathlib import Path
from typing import Final

from runbook.folders import settings_folder
from runbook.model.errors import RunbookError, UsageError, nearest
from runbook.parse.inventory import Inventory, Target, parse_inventory
from runbook.parse.runbook import read_text
from runbook.plugins.added import added_inventory
from runbook.run.sources.ownership import require_own
from runbook.run.sources.project import NAME, above, find_project

SHORTEST: Final = "environments: {prod: {kafka: {bootstrap.servers: broker:9092}}}"
"""An inventory, as an example."""


def find_inventory(given: Path | None) -> Path | None:
    """The inventory in force: --inventory, $RUNBOOK_INVENTORY, the project's, ./environments.yaml, the user's, a lab's.

    Raises:
        UsageError: one was found that nobody named, and others may have written it; or the one that is given is not
            there, and one that is called nearly so is.
    """
    if given is not None:
        others = [file.name for file in given.parent.glob("*.y*ml") if file.name != NAME]
        if not given.exists() and (near := nearest(given.name, others)):
            raise UsageError(f"there is no inventory {given}: did you mean {given.with_name(near)}?")
        return given
    if named := os.environ.get("RUNBOOK_INVENTORY"):
        return Path(named)
    project = find_project()
    if project and project.settings.inventory:
        file = project.place(project.settings.inventory)
        if not project.named:
            require_own(file)
        return file
    found = _found()
    if found is not None:
        require_own(found)
    return found


def own_inventory() -> Path | None:
    """The inventory that the project one is in names, if there is a project, and it names one; it need not be there."""
    project = find_project()
    return project.place(project.settings.inventory) if project and project.settings.inventory else None


def _found() -> Path | None:
    """An inventory where one may stand."""
    for file in (Path("environments.yaml"), settings_folder() / "environments.yaml"):
        if file.exists():
            return file
    return added_inventory()  # that of a running lab


def load_inventory(given: Path | None) -> Inventory:
    """Read the inventory in force.

    Raises:
        UsageError: there is none, or it was found in a place where others may write.
        Invalid: with all of its mistakes.
    """
    file = find_inventory(given)
    if file is None:
        raise UsageError(
            "no inventory: give --inventory FILE, or write environments.yaml here:\n"
            f"    {SHORTEST}\n"
            "or let a cluster tell what belongs into it: runbook init DIR --from HOST:PORT\n"
            "or start a cluster to try things on: runbook lab up" + (f"\n{there}" if (there := above()) else "")
        )
    if given is None and not file.exists():
        named = "runbook.yaml" if file == own_inventory() else "RUNBOOK_INVENTORY"
        lacking = f"there is no inventory {file}: {named} names it"
        by_init = file == own_inventory() == Path("environments.yaml")
        raise UsageError(f"{lacking}; runbook init --from HOST:PORT writes it" if by_init else lacking)
    return parse_inventory(read_text(file, str(file)), str(file), dt.datetime.now(dt.UTC).date())


def hidden_beside(inventory: Inventory) -> tuple[list[str], Path | None]:
    """The environments of a running lab that are in no inventory of one's own, and the inventory that has them."""
    file = added_inventory()
    if file is None or file == Path(inventory.file):
        return [], None
    try:
        other = load_inventory(file)
    except RunbookError:
        return [], None
    known = {broker for target in inventory.targets.values() for broker in _brokers(target)}
    return [name for name, target in other.targets.items() if not _brokers(target) & known], file


def _brokers(target: Target) -> frozenset[str]:
    """The addresses of an environment's brokers, of which one is enough to reach it."""
    given = str(target.connections.get("kafka", {}).get("bootstrap.servers", ""))
    addresses = (part.strip().replace("localhost", "127.0.0.1") for part in given.split(","))
    return frozenset(address for address in addresses if address)
