"""Every place in a value that may hold an unknown, by type; and what must never be mistaken for one.

A record that is not there, such as a waiver, is none, and no unknown.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Mapping
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, Final, NamedTuple, Union, get_args, get_origin, get_type_hints

from msgspec import Struct, structs

Path = tuple[str | int, ...]

_KNOWN: Final[Mapping[Any, tuple[Any, Any]]] = {
    bool: (False, True),
    int: (3, 5),
    float: (3.5, 5.5),
    str: ("one thing", "another thing"),
    list: (["one thing"], ["another thing"]),
    dict: ({"one": "thing"}, {"another": "thing"}),
}
_LIKE: Final[Mapping[Any, tuple[Any, ...]]] = {
    bool: (False, True),
    int: (0,),
    float: (0.0,),
    str: ("", "none", "None", "null"),
    list: ([], [None]),
    dict: ({},),
}
_ANYTHING: Final[tuple[Any, ...]] = (0, 0.0, False, "", [], {}, "none", "None", "null")


class Place(NamedTuple):
    """A place that may hold an unknown.

    Attributes:
        field: what holds it, such as `JudgedRow.key` or `Scenario.offline`.
        path: how to get there: names of fields, keys and numbers.
        kinds: the types that a known value may have there; `Any` for every one.
    """

    field: str
    path: Path
    kinds: tuple[Any, ...]

    def known(self) -> tuple[Any, Any]:
        """Two known values, which differ."""
        kind = self.kinds[0]
        return _KNOWN[str if kind is Any else get_origin(kind) or kind]

    def look_alikes(self) -> list[Any]:
        """Known values that say nothing or none, of every type that may stand there."""
        if Any in self.kinds:
            return [*_ANYTHING]
        return [like for kind in self.kinds for like in _LIKE[get_origin(kind) or kind]]


def records(package: ModuleType) -> Iterator[type[Struct]]:
    """Every record that a module of a package defines."""
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(found.name)
        for _, class_ in inspect.getmembers(module, inspect.isclass):
            if issubclass(class_, Struct) and class_.__module__ == module.__name__:
                yield class_


def nullable(record: type[Struct]) -> list[str]:
    """The fields of a record, such as `JudgedRow.key`, that may hold an unknown themselves or in a cell."""
    return [f"{record.__name__}.{name}" for name, hint in get_type_hints(record).items() if _may_be_unknown(hint)]


def places_in(value: Any, hint: Any = None, field: str = "", path: Path = ()) -> Iterator[Place]:
    """Every place within a value, a record to begin with, whose declared type admits an unknown."""
    kinds = _kinds(type(value) if hint is None else hint)
    known = tuple(kind for kind in kinds if kind is not NoneType)
    if Any in kinds and isinstance(value, dict):  # a record without a type: its cells have those of their values
        for key, cell in value.items():
            of = Any if isinstance(cell, dict | list | None) else type(cell) | None
            yield from places_in(cell, of, f"{field}.{key}" if key.isidentifier() else field, (*path, key))
        return
    if (NoneType in kinds or Any in kinds) and not any(map(_is_record, known)):
        yield Place(field, path, known)
    if isinstance(value, Struct):
        for name, declared in get_type_hints(type(value)).items():
            yield from places_in(getattr(value, name), declared, f"{type(value).__name__}.{name}", (*path, name))
        return
    inner = next((get_args(kind) for kind in kinds if get_origin(kind) in (dict, list)), ())
    if isinstance(value, dict) and inner:
        for key, cell in value.items():
            yield from places_in(cell, inner[1], field, (*path, key))
    elif isinstance(value, list) and inner:
        each: Any = Any if inner[0] == dict[str, Any] else inner[0]  # each is such a record
        for number, cell in enumerate(value):
            yield from places_in(cell, each, field, (*path, number))


def put(value: Any, path: Path, new: Any) -> Any:
    """The same value with another one in a place."""
    if not path:
        return new
    first, *rest = path
    if isinstance(value, Struct):
        assert isinstance(first, str)
        return structs.replace(value, **{first: put(getattr(value, first), tuple(rest), new)})
    if isinstance(value, dict):
        return value | {first: put(value[first], tuple(rest), new)}
    assert isinstance(first, int)
    return [*value[:first], put(value[first], tuple(rest), new), *value[first + 1 :]]


def look_alikes(value: Any, place: Place) -> list[Any]:
    """The look-alikes of a place that stay known there: an environment without an id takes an empty one for unknown."""
    return [like for like in place.look_alikes() if _at(put(value, place.path, like), place.path) is not None]


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = getattr(value, step) if isinstance(value, Struct) and isinstance(step, str) else value[step]
    return value


def lines_mistaken(unknown: str, one: str, another: str, like: str) -> list[str]:
    """The lines of a text that show a value, and the unknown as they show what it must not be mistaken for.

    Args:
        unknown: the text where the value is not known.
        one: where it has one value.
        another: where it has another.
        like: where it has a value that is easily taken for an unknown.
    """
    texts = (unknown, one, another, like)
    parts = [text.splitlines() for text in texts]
    if len({len(lines) for lines in parts}) > 1:  # they can't be compared line by line
        parts = [[text] for text in texts]
    rows = zip(*parts, strict=True)
    return [nothing for nothing, first, second, seems in rows if first != second and nothing == seems]


def _kinds(hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) is Annotated:
        return _kinds(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        return tuple(kind for part in get_args(hint) for kind in _kinds(part))
    return (hint,)


def _may_be_unknown(hint: Any) -> bool:
    kinds = _kinds(hint)
    if (NoneType in kinds or Any in kinds) and not any(map(_is_record, kinds)):
        return True
    inner = [get_args(kind)[-1] for kind in kinds if get_origin(kind) in (dict, list)]
    return any(map(_may_be_unknown, inner))


def _is_record(kind: Any) -> bool:
    return kind == dict[str, Any] or (isinstance(kind, type) and issubclass(kind, Struct))
