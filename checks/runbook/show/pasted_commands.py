"""Commands that are shown to be pasted: wherever a runbook stands, and however many environments there are."""

from pathlib import Path

from runbook.model.errors import RunbookError, UsageError
from runbook.parse.runbook import Runbook
from runbook.run.sources.built_in import BUILT_IN
from runbook.run.sources.inventories import load_inventory
from runbook.run.sources.runbooks import locate, own_names


def word_for(runbook: Runbook) -> str:
    """The word by which a command finds a runbook: its name, else its file."""
    if runbook.origin == "built-in":
        return f"{BUILT_IN}{runbook.name}" if runbook.name in own_names() else runbook.name
    try:
        found, _ = locate(runbook.name)
    except UsageError:
        return runbook.path
    return runbook.name if found.resolve() == Path(runbook.path).resolve() else runbook.path


def option_for_environments() -> str:
    """What a command that looks at clusters needs here: nothing where one environment is meant, else all of them."""
    try:
        inventory = load_inventory(None)
    except RunbookError:
        return ""
    return " --env '*'" if len(inventory.targets) > 1 and not inventory.default else ""
