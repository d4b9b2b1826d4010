"""A log whose lines are JSON objects: which fields they have, what those hold, and which lines are none."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

MOST_VALUES = 10_000
"""Distinct values of one field that are told apart; our judgement, a dimension has tens."""

MOST_FIELDS = 500
"""Fields that are told apart; our judgement, more are names that were made up from data."""

_DEEPEST = 8  # objects within one another


class LogField(Struct):
    """One field over a sample. An object within an object gives the field `outer.inner`.

    Attributes:
        lines: how many lines have it.
        numbers: in how many of them it is a number.
        values: its distinct values as JSON writes them, MOST_VALUES at most.
    """

    lines: int = 0
    numbers: int = 0
    values: set[str] = field(default_factory=set)


class LogSample(Struct):
    """What lines of a log hold.

    Attributes:
        lines: lines that are not empty.
        objects: those that are one JSON object each.
        fields: by name.
        cut: whether there were more fields than are told apart.
    """

    lines: int = 0
    objects: int = 0
    fields: dict[str, LogField] = field(default_factory=dict)
    cut: bool = False

    def add(self, lines: Iterable[str]) -> None:
        """Take in more lines."""
        for line in lines:
            if line.strip():
                self.lines += 1
                self._add(line)

    def always(self) -> list[str]:
        """The fields that every object has."""
        return sorted(name for name, seen in self.fields.items() if seen.lines == self.objects)

    def _add(self, line: str) -> None:
        try:
            decoded = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(decoded, dict):
            return
        self.objects += 1
        for name, value in _flat(decoded):
            if name not in self.fields and len(self.fields) >= MOST_FIELDS:
                self.cut = True
                continue
            seen = self.fields.setdefault(name, LogField())
            seen.lines += 1
            seen.numbers += isinstance(value, int | float) and not isinstance(value, bool)
            if len(seen.values) < MOST_VALUES:
                seen.values.add(json.dumps(value, sort_keys=True))


def _flat(fields: Mapping[str, Any], before: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    for name, value in fields.items():
        if isinstance(value, dict) and value and depth < _DEEPEST:
            yield from _flat(value, f"{before}{name}.", depth + 1)
        else:
            yield f"{before}{name}", value
