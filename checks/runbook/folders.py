"""Where a user's files of this tool are: settings, what may be lost, what is in use (XDG base directories)."""

import os
from pathlib import Path
from typing import Final

PIPED: Final = "runbook-standard-input.yaml"
"""The name of the file in which what is piped in is kept; sentences call it stdin."""


def settings_folder() -> Path:
    """Name the folder of the user's settings: `runbook` in `$XDG_CONFIG_HOME`, else in `~/.config`."""
    return _folder("XDG_CONFIG_HOME", ".config")


def cache_folder() -> Path:
    """Name the folder of what was downloaded or made for speed: `$RUNBOOK_CACHE`, else in the user's cache folder."""
    given = os.environ.get("RUNBOOK_CACHE")
    return Path(given) if given else _folder("XDG_CACHE_HOME", ".cache")


def state_folder() -> Path:
    """Name the folder of what is in use: `runbook` in `$XDG_STATE_HOME`, else in `~/.local/state`."""
    return _folder("XDG_STATE_HOME", ".local/state")


def _folder(variable: str, fallback: str) -> Path:
    # The XDG specification has relative paths ignored.
    given = os.environ.get(variable, "")
    return (Path(given) if Path(given).is_absolute() else Path.home() / fallback) / "runbook"
