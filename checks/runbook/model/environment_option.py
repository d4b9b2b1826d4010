"""How a command that is offered means the environment that was looked at: in the inventory that was given, too."""

import shlex
from pathlib import Path


def environment_option(environment: str, inventory: Path | str | None) -> str:
    """The options of a command for an environment; pasted, it must not look into the inventory that is in force.

    Args:
        environment: its name.
        inventory: the file that --inventory gave; None or "" where it gave none.
    """
    file = f" -i {shlex.quote(str(inventory))}" if inventory else ""
    return f"--env {shlex.quote(environment)}{file}"
