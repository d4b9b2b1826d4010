"""Manifests of Kubernetes in files: what may be done with them, where a file has each field, and what can't be read."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from runbook.formats.statements import Part
from runbook.model.errors import FilePosition
from runbook.model.fact import Gap
from runbook.model.gap_kind import GapKind
from runbook.parse.yaml_document import Document

ENDINGS: Final = (".yaml", ".yml", ".json", ".tf")
"""Of the names of files in folders that are read."""
READS: Final = (
    "open for reading: manifests that the inventory lists, and .yaml, .yml, .json and .tf in the folders it lists",
    "list names in those folders",
)
"""Everything that may be done; only regular files are opened, and a bounded part of each is read."""


class Marks(Struct, frozen=True):
    """Where the fields of a resource stand: its document, its own path in that, and what stands for its `spec`."""

    document: Document
    path: tuple[str | int, ...]
    spec: tuple[str, ...] = ("spec",)

    def start(self) -> FilePosition:
        """Where the kind of the resource stands."""
        return self.document.key((*self.path, "kind"))

    def at(self, steps: Iterable[str | int]) -> str:
        """FILE:LINE:COLUMN of a field of the resource, or of the nearest one above it; without steps, of its kind."""
        path = (*self.path, *steps)
        document, length = self.document, len(self.path)
        if path[length : length + 1] == ("spec",):
            path = (*self.path, *self.spec, *path[length + 1 :])
        while len(path) > length:
            if found := document.keys.get(path) or document.values.get(path):
                return str(found)
            path = path[:-1]
        return str(self.start())


class UnreadManifest(Struct, frozen=True):
    """A document, or a file, that can't be read, or that is not clear.

    Attributes:
        place: where the mistake is.
        why: what is wrong, and what to do.
        api, kind, name, cluster: what its text says of itself; empty where that is not clear.
        template: whether it is a template that was not rendered.
        chart: the folder of the Helm chart that it is a template of, as one of `of_chart`; empty for none.
        parts: what of Kafka it declares in a way that is not read here; then it is nothing of Strimzi's.
    """

    place: FilePosition
    why: str
    api: str = ""
    kind: str = ""
    name: str = ""
    cluster: str = ""
    parts: tuple[Part, ...] = ()
    template: bool = False
    chart: str = ""

    def may_be(self, group: str, resource: str) -> bool:
        """Whether it may declare a resource of a kind."""
        if self.parts:
            return False
        if self.api and self.kind and not self.kind.endswith("List"):
            return self.api.startswith(f"{group}/") and f"{self.kind.lower()}s" == resource
        return True

    def gap(self) -> Gap:
        """What is not seen for it; all templates of a chart are one gap."""
        if self.chart:
            return Gap(self.why, kind=GapKind.GARBLED, place=str(self.place))
        named = f"{self.kind} {self.name}".strip() if self.kind else ""
        at = self.place.file if self.parts and self.place.line == 1 else f"{self.place.file}:{self.place.line}"
        says = f"{at}: {f'{named} is not judged: ' if named else ''}{self.why}"
        return Gap(says, kind=GapKind.GARBLED, place=str(self.place))
