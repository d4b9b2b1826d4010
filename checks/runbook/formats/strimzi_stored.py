"""What an API server keeps of a resource of Strimzi that a manifest declares: no null, and nothing of another type."""

from collections.abc import Mapping
from typing import Any, Final

_OPEN: Final = ("config", "listenerConfig")
"""Fields whose contents the definitions leave open (`x-kubernetes-preserve-unknown-fields`): nulls stay in there."""


def stored(value: Any) -> Any:
    """A value without the fields that are null: the API server prunes them, as none is declared `nullable`."""
    if isinstance(value, Mapping):
        kept = ((key, each) for key, each in value.items() if each is not None)
        return {key: each if key in _OPEN else stored(each) for key, each in kept}
    return [stored(each) for each in value] if isinstance(value, list) else value


def part_of(thing: Mapping[str, Any], *path: str) -> dict[str, Any]:
    """An object inside of it; nothing where something else stands, which an API server refuses."""
    found: Any = thing
    for step in path:
        found = found.get(step) if isinstance(found, Mapping) else None
    return dict(found) if isinstance(found, Mapping) else {}


def list_of(thing: Mapping[str, Any], field: str) -> list[dict[str, Any]]:
    """The objects of a list inside of it; an empty one where something else stands."""
    found = thing.get(field)
    return [each if isinstance(each, dict) else {} for each in found] if isinstance(found, list) else []
