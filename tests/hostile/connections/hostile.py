"""A connection to a system whose every name was chosen by somebody who means harm."""

from collections.abc import Mapping
from typing import Any

from runbook.model.probe import Deadline


class Hostile:
    """Holds nothing."""

    def close(self) -> None:
        """Do nothing."""


def connect(_: Mapping[str, Any], __: Deadline) -> Hostile:
    """Connect to it."""
    return Hostile()
