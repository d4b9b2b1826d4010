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
