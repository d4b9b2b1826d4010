"""Cells that stand somewhere in an answer, and say where in the declaration of their row.

    class OurClaim(Row):
        claim: Annotated[str, Cell("Name.", key=True)] = at("metadata.name")
        owner: Annotated[str, Cell("Who has it; empty for nobody.")] = at("metadata.labels['example.com/owner']")
        size: Annotated[Bytes | None, Cell("Room that was asked for.")] = at("spec.resources.requests.storage")
        kept: Annotated[bool, Cell("Whether nothing of it may go.")] = by(is_kept)
        pods: Annotated[list[str], Cell("Pods that mount it.", entity="pod")]

    row_of(OurClaim, claim, pods=["kafka-1"])

An answer is what JSON is read into, or a record; steps of a path go into either. What is read is decided by the type
of the field, and anything else that stands there is garbled: never a cell. Bytes are a number, or a quantity of
Kubernetes.

What is not there is None where the field may be unknown, and else an empty text, list or map. Of a number or a truth it
has to be said what its absence means to the system, and how that is known (`Means`).
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn, TypeVar, cast, get_args

from msgspec import Struct

from runbook.formats.quantity import quantity
from runbook.model.column import ColumnType
from runbook.model.errors import Garbled
from runbook.model.quantity import Bytes
from runbook.model.row import CellSource, Reader, Row, column_type, known

T = TypeVar("T")
_STEP: Final = re.compile(r"(?:^|\.)([^.\[\]]+)|\['([^']+)'\]")


class Means(Struct, frozen=True):
    """What it means to a system that nothing stands somewhere, and how that is known: its own default, say."""

    value: Any
    because: str

    def __post_init__(self) -> None:
        """Refuse what says nothing of how it is known."""
        if not self.because:
            raise TypeError(f"{self.value!r} is made up: say how it is known that nothing means it")


def at(path: str, *, absent: Means | None = None) -> Any:
    """A cell that stands in an answer.

    Args:
        path: where, as kubectl writes it: `spec.replicas`, `metadata.labels['strimzi.io/cluster']`.
        absent: what it means that nothing stands there; of a text, that it is empty, too.
    """
    return _At(steps(path), absent)


def setting(name: str, of: str = "", *, absent: Means | None = None) -> Any:
    """A cell that a setting says, which is text as in a file of properties: `true`, `3`, `a,b`.

    Where the field may be unknown, a reference to elsewhere (`${file:…}`) is, and a number that is none.

    Args:
        name: of the setting.
        of: the path of what holds the settings; empty where that is the answer itself.
        absent: what it means that it is not set.
    """
    return _Setting((*steps(of), name), absent)


def settings_of(row: type[Row]) -> list[str]:
    """The settings that cells of a row are."""
    return [source.path[-1] for source in row.__sources__.values() if isinstance(source, _Setting)]


def by(read: Callable[[Any], T], of: str = "") -> T:
    """A cell that a function works out of the answer, or of what stands at a path in it.

    mypy holds that the function gives the type of the field.
    """
    return cast("T", _By(read, steps(of)))


def follow(answer: Any, path: tuple[str, ...]) -> Any:
    """What stands at a path; None where nothing does.

    Raises:
        Garbled: above a step stands what has no parts.
    """
    found = answer
    for step in path:
        if isinstance(found, dict):
            found = found.get(step)
        elif isinstance(found, Struct):
            found = getattr(found, step)
        else:
            raise Garbled(f"{label(answer)} has no object above {step} in {'.'.join(path)}")
        if found is None:
            return None
    return found


def refuse(answer: Any, path: tuple[str, ...], found: Any, wanted: str) -> NoReturn:
    """Say that something else stands there.

    Raises:
        Garbled: always.
    """
    raise Garbled(f"{label(answer)} has {str(found)[:40]!r} as {'.'.join(path)}, which should be {wanted}")


class _By(CellSource, frozen=True):
    read: Callable[[Any], Any]
    path: tuple[str, ...]

    def reader(self, where: str, kind: Any) -> Reader:  # noqa: ARG002 - mypy has seen the type
        read, path = self.read, self.path
        return (lambda answer: read(follow(answer, path))) if path else read


class _At(CellSource, frozen=True):
    path: tuple[str, ...]
    absent: Means | None

    def reader(self, where: str, kind: Any) -> Reader:
        column, size, path = column_type(where, kind), known(kind) is Bytes, self.path
        none = self.none(where, kind, column)
        wanted, kinds, make = ("a quantity", (str, int), _bytes) if size else _VALUES[column]
        empty, truth = size or (column == "string" and self.absent is not None), column == "bool"

        def read(answer: Any) -> Any:
            found = follow(answer, path)
            if found is None or (empty and found == ""):
                return none()
            if not isinstance(found, kinds) or (isinstance(found, bool) and not truth):
                refuse(answer, path, found, wanted)
            return found if make is None else make(found)

        return read

    def none(self, where: str, kind: Any, column: ColumnType) -> Callable[[], Any]:
        """What gives the cell where nothing stands."""
        if self.absent is not None:
            means = self.absent.value
            return lambda: means
        if type(None) in get_args(kind):
            return lambda: None
        if column in _EMPTY:
            return _EMPTY[column]
        raise TypeError(f"{where} may be missing: say what that means, absent=Means(…), or let its type have None")


class _Setting(_At, frozen=True):
    @property
    def setting(self) -> str:
        return self.path[-1]

    def reader(self, where: str, kind: Any) -> Reader:
        column, optional, path = column_type(where, kind), type(None) in get_args(kind), self.path
        plain = len(path) == 1
        none, (wanted, make), name = self.none(where, kind, column), _SETTINGS[column], path[-1]

        def read(answer: Any) -> Any:
            # Brokers and topics have thousands of settings, each in a plain dict.
            found = answer.get(name) if plain and type(answer) is dict else follow(answer, path)
            if found is None:
                return none()
            text = found.strip() if isinstance(found, str) else str(found).lower()
            try:
                return None if optional and "${" in text else make(text)
            except ValueError:
                return None if optional else refuse(answer, path[-1:], found, wanted)

        return read


def steps(path: str) -> tuple[str, ...]:
    """The steps of a path that is written as kubectl has it: `metadata.labels['app']`."""
    found = [plain or quoted for plain, quoted in _STEP.findall(path)]
    if "".join(match[0] for match in _STEP.finditer(path)) != path:
        raise ValueError(f"{path!r} is no path such as spec.replicas or metadata.labels['app']")
    return tuple(found)


def label(answer: Any) -> str:
    """How sentences name an answer; a record that is made of an object has it as `whole`."""
    thing = getattr(answer, "whole", answer)
    if not isinstance(thing, Mapping):
        return "an answer"
    metadata = thing.get("metadata")
    called = metadata.get("name") if isinstance(metadata, Mapping) else None
    return f"{thing.get('kind') or 'an object'} {called or ''}".strip()


def _bytes(value: Any) -> int:
    return quantity(value) if isinstance(value, str) else int(value)


def _whole(text: str) -> int:
    if text.isdecimal() or text[1:].isdecimal():
        return int(text)
    raise ValueError


_EMPTY: Final[dict[ColumnType, Callable[[], Any]]] = {"string": str, "list[string]": list, "map[string]": dict}
_VALUES: Final[dict[ColumnType, tuple[str, tuple[type, ...], Reader | None]]] = {
    "string": ("text", (str,), None),
    "timestamp": ("text", (str,), None),
    "int": ("number", (int,), None),
    "float": ("number", (int, float), float),
    "bool": ("true or false", (bool,), None),
    "list[string]": ("list", (list, tuple), lambda value: [str(item) for item in value]),
    "map[string]": ("object", (dict,), lambda value: {str(key): str(item) for key, item in value.items()}),
}
_SETTINGS: Final[dict[ColumnType, tuple[str, Reader]]] = {
    "string": ("text", str),
    "int": ("a whole number", _whole),
    "bool": ("true or false", lambda text: text.lower() == "true"),
    "list[string]": ("list", lambda text: [part.strip() for part in text.split(",") if part.strip()]),
}
