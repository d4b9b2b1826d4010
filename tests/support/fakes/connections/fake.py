"""A connection to nothing: how it goes wrong stands in its settings and in the parameters of its probes."""

import ctypes
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from runbook.model.errors import Denied
from runbook.model.probe import Deadline


class Fake:
    """Holds the settings as they were resolved, and counts how often somebody looked."""

    def __init__(self, settings: Mapping[str, Any], clock: Deadline) -> None:
        """Remember."""
        self.settings = settings
        self.clock = clock

    def close(self) -> None:
        """Say so, where somebody wants to know."""
        if "closed" in self.settings:
            Path(self.settings["closed"]).write_text("closed", encoding="utf-8")


def prepare() -> None:
    """Load for as long as somebody wants it."""
    time.sleep(float(os.environ.get("FAKE_LOADING", "0")))


def connect(settings: Mapping[str, Any], clock: Deadline) -> Fake:
    """Connect, in the manner that the settings ask for."""
    secret = settings.get("password", "")
    match settings.get("manner", "well"):
        case "denied":
            raise Denied(f"the password {secret} is wrong")
        case "raise":
            raise ZeroDivisionError(f"with {secret!r}")
        case "exit":
            sys.exit(7)
        case "abort":
            os.abort()
        case "hang":
            time.sleep(3600)
        case "hang in C":
            ctypes.pythonapi.sleep(3600)  # holds the interpreter's lock, as a client library may
    return Fake(settings, clock)
