"""Columns of facts in little room: cells that are equal are one object.

Of half a million replicas a file repeats the same few hundred texts and lists. Read cell by cell, each would be an
object of its own: that was four fifths of what a large bundle took.
"""

from itertools import chain
from types import NoneType
from typing import Any

import msgspec


class Cells:
    """The cells of all columns that are read with it."""

    def __init__(self) -> None:
        """Begin with none."""
        self._texts: dict[Any, Any] = {}

    def column(self, written: msgspec.Raw) -> list[Any]:
        """Read a column.

        Raises:
            msgspec.DecodeError: it is none.
        """
        cells = msgspec.json.decode(written, type=list[Any])
        kinds = {*map(type, cells)} - {NoneType}
        if kinds == {str}:
            return [*map(self._texts.setdefault, cells, cells)]
        if kinds == {int}:
            return _shared(cells, cells)
        if kinds == {list} and _alike([*chain.from_iterable(filter(None, cells))]):
            return _shared([cell if cell is None else tuple(cell) for cell in cells], cells)
        if kinds == {dict}:
            values = chain.from_iterable(cell.values() for cell in cells if cell)
            if {*map(type, values)} <= {str}:
                return _shared([cell if cell is None else tuple(cell.items()) for cell in cells], cells)
        return cells


def _alike(values: list[Any]) -> bool:
    """Whether equal ones are the same: 1, 1.0 and True are equal."""
    kinds = {*map(type, values)}
    return kinds <= {int} or kinds <= {str}


def _shared(keys: list[Any], cells: list[Any]) -> list[Any]:
    known: dict[Any, Any] = {}
    return [*map(known.setdefault, keys, cells)]
