"""Which results store a command means, and how it is reached."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from runbook.evidence.store import Store
from runbook.model.environment_option import environment_option
from runbook.model.errors import RunbookError, UsageError
from runbook.run.sources.inventories import find_inventory, load_inventory
from runbook.run.sources.project import find_project
from runbook.stores import open_store


def store_to_read(where: str, inventory: Path | None) -> Store:
    """The store that `choose_store` chooses, which is to hold something already.

    Raises:
        UsageError: no store is named, it can't be used, or an environment is named in its place.
    """
    if where and where in _environments(inventory) and not Path(where).exists():
        raise UsageError(
            f"there is no folder {where}: that is an environment, and a store keeps the runs of all. "
            f"Of this one: runbook results list {environment_option(where, inventory)}"
        )
    return choose_store(where, inventory)


def _environments(inventory: Path | None) -> Collection[str]:
    """Those of the inventory in force; none where there is none that can be read: a folder needs no inventory."""
    try:
        return load_inventory(inventory).targets
    except RunbookError:
        return ()


def choose_store(where: str, inventory: Path | None) -> Store:
    """The store at `where`, else the inventory's, else that of the project one is in.

    The inventory's settings are for the store it names. A folder that is given needs no inventory.

    Raises:
        UsageError: no store is named, or it can't be used.
    """
    if where and not where.startswith("kafka://"):
        return open_store(where)
    known = load_inventory(inventory) if not where or find_inventory(inventory) else None
    named, settings = (known.results, known.results_settings) if known else ("", {})
    meant = where or named or results_of_project()
    if not meant:
        raise UsageError("which results? Name a folder or an address, or write results: in the inventory")
    return store_at(meant, named, settings)


def results_of_project() -> str:
    """The folder in which the weekly round of the project one is in keeps results; "" where there is no project."""
    project = find_project()
    return str(project.place(project.settings.site.data) / "results") if project else ""


def store_at(where: str, named: str, settings: Mapping[str, Any]) -> Store:
    """The store at `where`, with the inventory's settings if it is the one that the inventory names.

    Raises:
        UsageError: it can't be used.
    """
    if where != named:
        return open_store(where)
    return open_store(where, settings)
