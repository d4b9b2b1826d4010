"""The Role and the ClusterRole that allow all that may be asked and nothing else, as they are shipped."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROLE: Final = Path(__file__).with_name("role.yaml")
"""The Role and the ClusterRole that allow these and no others, but for logs of pods, which take a Role of their own."""


def artefacts(_: Sequence[str]) -> dict[str, str]:
    """The roles, as they are shipped; a test compares them with the list."""
    return {"kubernetes-role": ROLE.read_text("utf-8")}
