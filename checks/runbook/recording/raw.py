"""Answers as plain values, and back: by the types that functions declare, never by names of classes.

Only errors are found by the name of their class, which is public: see `runbook.model.errors`.
"""

import builtins
import types
import typing
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

from runbook.model.errors import CannotLook
from runbook.model.gap_kind import GapKind

_ERROR = "cannot look"
_RAISED = "raised"


class Codec(NamedTuple):
    """How an answer of a kind that no type declares is stored, and restored."""

    stored: Callable[[Any], Any]
    restored: Callable[[Any], Any]


def stored(value: Any) -> Any:  # noqa: PLR0911 - a kind of value after the other
    """A value as MessagePack has it; a mapping whose keys are no texts is a list of pairs."""
    if isinstance(value, CannotLook):
        more = {name: stored(part) for name, part in vars(value).items() if not name.startswith("_")}
        return {_ERROR: type(value).__name__, "text": str(value), **({"more": more} if more else {})}
    if isinstance(value, msgspec.Struct):
        return {name: stored(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, Mapping):
        if all(isinstance(key, str) for key in value):
            return {key: stored(item) for key, item in value.items()}
        return [[stored(key), stored(item)] for key, item in value.items()]
    if isinstance(value, AbstractSet):
        return [stored(item) for item in sorted(value)]
    if isinstance(value, list | tuple):
        return [stored(item) for item in value]
    return str(value) if isinstance(value, Path) else value


def restored(value: Any, kind: Any) -> Any:  # noqa: PLR0911 - a kind of type after the other
    """The value that was stored, as a type declares it.

    Raises:
        msgspec.ValidationError: it is none of that type.
    """
    kind = _plain(kind)
    if kind is Any:
        return value
    if isinstance(value, dict) and _ERROR in value:
        return error(value)
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _of_union(value, parts)
    if origin is tuple:
        inner = [parts[0]] * len(value) if parts[1:] == (...,) else parts
        return tuple(restored(item, part) for item, part in zip(value, inner, strict=True))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        pairs = value.items() if isinstance(value, dict) else value
        return {restored(key, parts[0]): restored(item, parts[1]) for key, item in pairs}
    if isinstance(origin, type) and issubclass(origin, AbstractSet):
        return frozenset(restored(item, parts[0]) for item in value)
    if isinstance(origin, type) and origin.__module__ in ("builtins", "collections.abc"):
        return [restored(item, parts[0]) for item in value]
    if isinstance(kind, type) and (issubclass(kind, msgspec.Struct) or hasattr(kind, "_fields")):
        return _record(value, kind)
    return msgspec.convert(value, kind, strict=False)


def error(value: Mapping[str, Any]) -> CannotLook:
    """The error that was stored; one whose class there is no more is told as the general one."""
    kind = _kinds(CannotLook).get(value[_ERROR], CannotLook)
    made = kind.__new__(kind)
    Exception.__init__(made, value["text"])
    for name, part in value.get("more", {}).items():
        setattr(made, name, _carried(name, part))
    return made


def _carried(name: str, part: Any) -> Any:
    """What an error carries: another error, the kind of its gap, or a plain value."""
    if name == "kind":
        return GapKind(part)
    return error(part) if isinstance(part, dict) and _ERROR in part else part


def stored_failure(failure: BaseException) -> dict[str, Any]:
    """What was raised instead of an answer: an error of ours, or of the system."""
    if isinstance(failure, CannotLook):
        return dict(stored(failure))
    if isinstance(failure, OSError) and failure.errno is not None:
        return {_RAISED: "OSError", "arguments": [failure.errno, failure.strerror]}
    return {_RAISED: type(failure).__name__, "arguments": [str(failure)]}


def failure_of(value: Mapping[str, Any]) -> BaseException:
    """The exception that was stored."""
    if _ERROR in value:
        return error(value)
    kind = getattr(builtins, value[_RAISED], RuntimeError)
    made: BaseException = kind(*value["arguments"])
    return made


def _of_union(value: Any, parts: tuple[Any, ...]) -> Any:
    if value is None and type(None) in parts:
        return None
    failures = []
    for part in parts:
        if part is type(None) or (isinstance(part, type) and issubclass(part, CannotLook)):
            continue
        try:
            return restored(value, part)
        except (msgspec.ValidationError, TypeError, ValueError) as failure:
            failures.append(str(failure))
    raise msgspec.ValidationError(f"{value!r} fits none of {parts}: {failures}")


def _record(value: Any, kind: Any) -> Any:
    hints = _hints(kind)
    if isinstance(value, dict):  # a field that there is no more is left out; one that is new has its default
        return kind(**{name: restored(item, hints[name]) for name, item in value.items() if name in hints})
    return kind(*(restored(item, hints[name]) for item, name in zip(value, kind._fields, strict=False)))


@cache
def _hints(kind: Any) -> dict[str, Any]:
    found: dict[str, Any] = get_type_hints(kind)
    return found


def _plain(kind: Any) -> Any:
    """A type without what only a type checker reads."""
    while True:
        if isinstance(kind, typing.NewType):
            kind = kind.__supertype__
        elif hasattr(kind, "__metadata__"):
            kind = kind.__origin__
        else:
            return kind


def _kinds(of: type[CannotLook]) -> dict[str, type[CannotLook]]:
    """Name → class, of an error and all that are of its kind, as far as they are loaded."""
    found = {of.__name__: of}
    for kind in of.__subclasses__():
        found |= _kinds(kind)
    return found
