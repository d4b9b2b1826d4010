"""The labs of a test session: one of each shape, started when first wanted, healed between uses, down at the end."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

import kafka_lab as labs
from kafka_lab import LabState
from support.evidence.scene import shape_of


class Labs:
    """Labs by shape; each is started once."""

    def __init__(self, folder: Callable[[str], Path]) -> None:
        """Begin with none.

        Args:
            folder: makes an empty folder of (nearly) this name.
        """
        self._folder = folder
        self._running: dict[str, Any] = {}
        self._stack = ExitStack()
        self.started: list[str] = []

    def of(self, shape: str) -> Any:
        """The lab of a shape, started if it isn't yet."""
        if shape not in self._running:
            self.started.append(shape)
            self._running[shape] = self._stack.enter_context(shape_of(shape).lab(self._folder(shape)))
        return self._running[shape]

    def close(self) -> None:
        """Stop them all, the last first."""
        self._running.clear()
        self._stack.close()


LABS = pytest.StashKey[Labs]()
"""Where a test session keeps its labs."""


@contextmanager
def kafka_lab(name: str, folder: Path, parts: list[str]) -> Iterator[LabState]:
    """A lab of Kafka with these parts, in a folder of its own; down at the end whatever happens."""
    try:
        yield labs.up(name, home=folder, progress=lambda _: None, with_parts=parts)
    finally:
        labs.down(name, home=folder)
