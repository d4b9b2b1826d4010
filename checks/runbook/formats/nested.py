"""Objects inside of what a file declares; where something else stands, there is none."""

from collections.abc import Mapping
from typing import Any


def part_of(thing: Mapping[str, Any], *path: str) -> dict[str, Any]:
    """An object inside of it; an empty one where something else stands."""
    found: Any = thing
    for step in path:
        found = found.get(step) if isinstance(found, Mapping) else None
    return dict(found) if isinstance(found, Mapping) else {}


def list_of(thing: Mapping[str, Any], field: str) -> list[dict[str, Any]]:
    """The objects of a list inside of it; an empty one where something else stands."""
    found = thing.get(field)
    return [each if isinstance(each, dict) else {} for each in found] if isinstance(found, list) else []
