"""Reading Kubernetes objects as they come, unstructured: what is absent is empty, what has another shape is refused."""

from collections.abc import Mapping
from typing import Any, Final

from runbook.formats.declared import Means, by, follow, label, refuse
from runbook.formats.quantity import quantity
from runbook.model.errors import Garbled, NotThere
from runbook.model.quantity import Bytes

_KINDS: dict[type, str] = {dict: "object", list: "list", str: "text", int: "number", bool: "true or false"}

ZERO: Final = Means(0, "Kubernetes leaves out what is 0")
OFF: Final = Means(value=False, because="Kubernetes leaves out what is false")
DEFAULT: Final = "Kubernetes' own default"


def part(thing: Mapping[str, Any], *path: str) -> dict[str, Any]:
    """Give an object inside an object; empty if there is none."""
    return dict(_at(thing, path, dict) or {})


def many(thing: Mapping[str, Any], *path: str) -> list[dict[str, Any]]:
    """Give a list of objects inside an object; empty if there is none."""
    found = _at(thing, path, list) or []
    if not all(isinstance(item, dict) for item in found):
        raise Garbled(f"{label(thing)} has something in {'.'.join(path)} that is no object")
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


def stated(*kinds: str) -> bool:
    """The cell of a condition: whether the status of an object states it, or one of several, as true."""
    return by(lambda thing: any(is_true(thing, kind) for kind in kinds))


def is_observed(thing: Mapping[str, Any]) -> bool:
    """Whether the status of an object is of its newest specification."""
    return number(thing, "status", "observedGeneration", default=-1) == number(thing, "metadata", "generation")


def described(thing: Mapping[str, Any]) -> str:
    """When what is asked for was written last, as the managers of fields tell; empty where they don't."""
    entries = many(thing, "metadata", "managedFields")
    return max((text(entry, "time") for entry in entries if "f:spec" in part(entry, "fieldsV1")), default="")


def is_leaving(thing: Mapping[str, Any]) -> bool:
    """Whether somebody deleted an object that something still holds."""
    return bool(text(thing, "metadata", "deletionTimestamp"))


def phase(thing: Mapping[str, Any]) -> str:
    """The phase of an object, as kubectl shows it: Terminating for one that is being deleted."""
    return "Terminating" if is_leaving(thing) else text(thing, "status", "phase")


def int_or_string(value: Any) -> str:
    """Write what may be a number of pods or a percentage of them; empty for none."""
    return "" if value is None else str(value)


def storage(value: Any) -> Bytes:
    """Read a quantity of bytes; 0 for none."""
    return Bytes(quantity(value))


def _at(thing: Mapping[str, Any], path: tuple[str, ...], kind: type) -> Any:
    found = follow(thing, path)
    if found is not None and (not isinstance(found, kind) or (kind is int and isinstance(found, bool))):
        refuse(thing, path, found, _KINDS[kind])
    return found


class Absent(NotThere):
    """The cluster has no such kind of resource: its definition is not installed."""
