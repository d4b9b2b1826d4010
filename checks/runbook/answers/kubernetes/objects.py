"""Reading Kubernetes objects as they come, unstructured: what is absent is empty, what has another shape is refused."""

import re
from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal
from typing import Any, Final

from runbook.model.errors import Garbled, NotThere
from runbook.model.quantity import Bytes

_GREATEST = 2**63
"""No quantity is greater: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/."""

_QUANTITY: Final = re.compile(
    r"(?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?P<prefix>[numkKMGTPE]?)(?P<binary>(?<=[KMGTPE])i)?"
)
_POWERS: Final = {"n": -3, "u": -2, "m": -1, "": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}

_KINDS: dict[type, str] = {dict: "object", list: "list", str: "text", int: "number", bool: "true or false"}


def part(thing: Mapping[str, Any], *path: str) -> dict[str, Any]:
    """Give an object inside an object; empty if there is none."""
    return dict(_at(thing, path, dict) or {})


def many(thing: Mapping[str, Any], *path: str) -> list[dict[str, Any]]:
    """Give a list of objects inside an object; empty if there is none."""
    found = _at(thing, path, list) or []
    if not all(isinstance(item, dict) for item in found):
        raise Garbled(f"{_label(thing)} has something in {'.'.join(path)} that is no object")
    return list(found)


def texts(thing: Mapping[str, Any], *path: str) -> list[str]:
    """Give a list of texts inside an object; empty if there is none."""
    return [str(item) for item in _at(thing, path, list) or []]


def text(thing: Mapping[str, Any], *path: str) -> str:
    """Give a text inside an object; empty if there is none."""
    return str(_at(thing, path, str) or "")


def number(thing: Mapping[str, Any], *path: str, default: int = 0) -> int:
    """Give a whole number inside an object, else the default."""
    found = _at(thing, path, int)
    return default if found is None else int(found)


def flag(thing: Mapping[str, Any], *path: str, default: bool = False) -> bool:
    """Give true or false inside an object, else the default."""
    found = _at(thing, path, bool)
    return default if found is None else bool(found)


def labels(thing: Mapping[str, Any], *path: str) -> dict[str, str]:
    """Give the labels of an object, or another map of texts inside it."""
    return {str(key): str(value) for key, value in part(thing, *(path or ("metadata", "labels"))).items()}


def name(thing: Mapping[str, Any]) -> str:
    """Give an object's name."""
    return text(thing, "metadata", "name")


def condition(thing: Mapping[str, Any], kind: str) -> dict[str, Any] | None:
    """Give the condition of a kind from an object's status; None if it is not stated."""
    return next((condition for condition in many(thing, "status", "conditions") if condition.get("type") == kind), None)


def is_true(thing: Mapping[str, Any], kind: str) -> bool:
    """Whether the status of an object states a condition as true."""
    found = condition(thing, kind)
    return found is not None and found.get("status") == "True"


def quantity(value: Any, *, scale: int = 1) -> int:
    """Read a quantity such as 500m or 4Gi, times `scale` (1000 gives thousandths of a CPU); 0 for none."""
    if value is None or value == "":
        return 0
    if (found := _QUANTITY.fullmatch(str(value))) is not None:
        power = Decimal(1024 if found["binary"] else 1000) ** _POWERS[found["prefix"]]
        with suppress(ArithmeticError):
            size = Decimal(found["number"]) * power * scale
            # A few characters may mean a number of a billion digits, which would take minutes to write out.
            if abs(size) < _GREATEST:
                return int(size)
    raise Garbled(f"{str(value)[:40]!r} is no quantity of Kubernetes")


def storage(value: Any) -> Bytes:
    """Read a quantity of bytes; 0 for none."""
    return Bytes(quantity(value))


def _at(thing: Mapping[str, Any], path: tuple[str, ...], kind: type) -> Any:
    found: Any = thing
    for step in path:
        if not isinstance(found, Mapping):
            raise Garbled(f"{_label(thing)} has no object above {step} in {'.'.join(path)}")
        found = found.get(step)
        if found is None:
            return None
    if not isinstance(found, kind) or (kind is int and isinstance(found, bool)):
        raise Garbled(f"{_label(thing)} has {str(found)[:40]!r} as {'.'.join(path)}, which should be {_KINDS[kind]}")
    return found


def _label(thing: Mapping[str, Any]) -> str:
    metadata = thing.get("metadata")
    called = metadata.get("name") if isinstance(metadata, Mapping) else None
    return f"{thing.get('kind') or 'an object'} {called or ''}".strip()


class Absent(NotThere):
    """The cluster has no such kind of resource: its definition is not installed."""
