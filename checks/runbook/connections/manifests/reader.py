"""Reads what files declare; of everything that they hold only resources are looked at."""

import re
from collections.abc import Iterator
from glob import glob, has_magic
from pathlib import Path
from typing import Any, Final

from runbook.answers.kubernetes.objects import Absent, name, part, text
from runbook.answers.manifests import Marks
from runbook.connections._local_files import from_os, regular, text_of
from runbook.connections._memory import Memory
from runbook.connections.manifests.settings import ManifestSettings
from runbook.folders import PIPED
from runbook.model.errors import CannotLook, Garbled, Invalid, NotThere, NoTurn
from runbook.model.probe import Deadline
from runbook.parse.yaml_document import Document, read_yaml
from runbook.recording.question import question

_SETTING: Final = "manifests"  # what the inventory calls this connection
_ENDINGS: Final = (".yaml", ".yml", ".json")
_BREAK: Final = re.compile(r"^(?:---(?=[ \t\r]|$)|\.\.\.[ \t\r]*$)", re.MULTILINE)
"""Where one document ends: YAML allows these at the beginning of a line nowhere else."""

MOST_FILES: Final = 5_000
"""Of all paths together: our judgement, ten times what the largest repositories of manifests hold."""
LARGEST: Final = 16 << 20
"""Bytes of one file that are read: our judgement, a rendered chart has some megabytes at most."""

Object = dict[str, Any]


class Manifests:
    """The resources that the inventory's files declare, each with the place where it stands."""

    def __init__(self, settings: ManifestSettings, clock: Deadline) -> None:
        """Prepare; nothing is opened before the first question."""
        self._settings = settings
        self.clock = clock
        self._memory = Memory()

    def close(self) -> None:
        """Nothing is kept open."""

    def custom(self, group: str, resource: str) -> tuple[str, list[Object]]:
        """Return all resources of a kind, in the order of the files; the version is each resource's own.

        Each has its place under `source`, as FILE:LINE, and those of its fields under `marks`, beside what it
        declares. A `status` is what some cluster once said, and is left out.

        Raises:
            Absent: the files declare none.
            CannotLook: a file can't be read, or it is not clear which of two resources counts.
        """
        found = self._memory.once("all", self._all)
        chosen = [item for item in found if _is_of(item, group, resource)]
        if not chosen:
            raise Absent(f"the manifests declare no {resource}.{group}")
        places: dict[tuple[str, str], str] = {}
        for item in chosen:
            other = places.setdefault((_namespace(item), name(item)), item["source"])
            if other != item["source"]:
                raise Garbled(
                    f"{item['kind']} {name(item)} stands in {other} and in {item['source']}: list fewer paths, "
                    "or set namespace of manifests"
                )
        return "", chosen

    def _all(self) -> list[Object]:
        found = [resource for file in self._files() for resource in self._resources(file)]
        if not found:
            raise Garbled(f"{', '.join(self._settings.paths)}: there is no resource of Kubernetes in it")
        named = {_namespace(item) for item in found} - {""}
        wanted = self._settings.namespace or (named.pop() if len(named) == 1 else "")
        placed = [_placed(item, wanted) for item in found]
        return [item for item in placed if not self._settings.namespace or _namespace(item) == wanted]

    def _files(self) -> list[Path]:
        """The files that the paths mean, each once.

        Raises:
            CannotLook: a path means none, or too many.
        """
        found: dict[Path, None] = {}
        for pattern in self._settings.paths:
            for file in _meant(pattern, self.clock):
                found[Path(file)] = None
                if len(found) > MOST_FILES:
                    raise Garbled(f"{pattern} holds more than {MOST_FILES} files: list fewer under `{_SETTING}:`")
        return list(found)

    def _resources(self, file: Path) -> Iterator[Object]:
        if self.clock.left() <= 0:
            raise NoTurn(f"there was no time left to read {file}")
        if regular(file, _SETTING, self.clock).size > LARGEST:
            raise Garbled(f"{file} has more than {LARGEST} bytes, too many for manifests")
        whole = text_of(file, _SETTING, self.clock)
        for document in _documents(whole, "stdin" if file.name == PIPED else str(file)):
            yield from _declared(document.value, document, ())


@question("manifests")
def _meant(pattern: str, clock: Deadline) -> list[str]:  # noqa: ARG001 - the clock has the tape
    """The files that a path of the inventory means, by name.

    Raises:
        CannotLook: there is none.
    """
    path = Path(pattern).expanduser()
    patterns = glob(str(path), recursive=True) if has_magic(pattern) else [path]  # noqa: PTH207 - may be absolute
    matching = [Path(pattern) for pattern in patterns]
    files = [file for path in sorted(matching) for file in (_below(path) if path.is_dir() else [path])]
    if not files:
        raise NotThere(f"{pattern} means no file that ends in {', '.join(_ENDINGS)}: correct it under `{_SETTING}:`")
    return [str(file) for file in files]


def _below(folder: Path) -> list[Path]:
    try:
        found = sorted(path for path in folder.rglob("*") if path.suffix in _ENDINGS and path.is_file())
    except OSError as error:
        raise from_os(error, folder, _SETTING) from None
    return [item for item in found if not any(part.startswith(".") for part in item.relative_to(folder).parts)]


def _documents(whole: str, file: str) -> Iterator[Document]:
    """The YAML documents of a file, lines counted in the file.

    Raises:
        Garbled: one of them can't be read.
    """
    start = 0
    for mark in [*_BREAK.finditer(whole), None]:
        body = whole[start : mark.start() if mark else len(whole)]
        try:
            yield read_yaml(body, file, line=whole.count("\n", 0, start) + 1)
        except Invalid as invalid:
            raise _unread(invalid, body) from None
        start = mark.end() if mark else start


def _unread(invalid: Invalid, body: str) -> CannotLook:
    problem = invalid.problems[0]
    template = "{{" in body
    remedy = (
        "render templates first, as by helm template" if template else problem.remedy or "kubectl would refuse it too"
    )
    return Garbled(f"{problem.place.file}:{problem.place.line}: {problem.message}: {remedy}")


def _declared(value: Any, document: Document, path: tuple[str | int, ...]) -> Iterator[Object]:
    """The resources of a document: itself, or those of a list; what is no resource at all is passed over."""
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        return
    version = value.get("apiVersion")
    if not isinstance(version, str):
        return
    if value["kind"].endswith("List") and isinstance(value.get("items"), list):
        for place, item in enumerate(value["items"]):
            yield from _declared(item, document, (*path, "items", place))
        return
    marks = Marks(document, path)
    plain = {key: each for key, each in value.items() if key != "status"}
    yield plain | {"source": marks.at(()).rpartition(":")[0], "marks": marks}


def _namespace(one: Object) -> str:
    return text(one, "metadata", "namespace")


def _placed(one: Object, namespace: str) -> Object:
    """A resource in the namespace that it names, else in the one that it is applied to, as far as that is known."""
    if _namespace(one) or not namespace:
        return one
    return one | {"metadata": part(one, "metadata") | {"namespace": namespace}}


def _is_of(one: Object, group: str, resource: str) -> bool:
    return str(one["apiVersion"]).startswith(f"{group}/") and f"{str(one['kind']).lower()}s" == resource
