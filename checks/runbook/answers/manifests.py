"""Manifests of Kubernetes in files: what may be done with them, and where a file has each field."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from runbook.parse.yaml_document import Document

READS: Final = (
    "open for reading: manifests that the inventory lists, and .yaml, .yml and .json in the folders it lists",
    "list names in those folders",
)
"""Everything that may be done; only regular files are opened, and a bounded part of each is read."""


class Marks(Struct, frozen=True):
    """Where the fields of a resource stand: its document, its own path in that, and what stands for its `spec`."""

    document: Document
    path: tuple[str | int, ...]
    spec: tuple[str, ...] = ("spec",)

    def at(self, steps: Iterable[str | int]) -> str:
        """FILE:LINE:COLUMN of a field of the resource, or of the nearest one above it; without steps, of its kind."""
        first, rest = [*steps][:1], [*steps][1:]
        path = (*self.path, *(self.spec if first == ["spec"] else first), *rest)
        while path != self.path and path not in self.document.keys and path not in self.document.values:
            path = path[:-1]
        if path == self.path:
            path = (*path, "kind")
        return str(self.document.keys.get(path) or self.document.place(path))
