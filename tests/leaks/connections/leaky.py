"""A connection whose client library keeps nothing to itself."""

import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from runbook.model.probe import Deadline
from runbook.safety.redaction import Redaction


class Leaky:
    """Holds every secret it was given."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        """Remember them."""
        self.secrets = list(_texts(settings))

    def close(self) -> None:
        """Say them once more."""
        sys.stderr.write(repr(self.secrets))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str):
        yield value


def connect(settings: Mapping[str, Any], _: Deadline) -> Leaky:
    """Connect; where the test wants to see it leak, redaction is gone."""
    if os.environ.get("LEAKS_OPEN"):
        Redaction.found_in = lambda *_: False  # type: ignore[method-assign]
    if os.environ.get("LEAKS_REFUSE"):
        raise PermissionError(f"refused: {settings}")
    return Leaky(settings)
