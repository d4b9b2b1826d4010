"""Facts on their way from a worker: a cell that stands in many rows in a row is sent once.

Of half a million rows most columns say the same for hundreds in a row. Sent cell by cell, each text would be an object
of its own at the other end: that was half of what such a run took.
"""

from collections.abc import Mapping
from itertools import chain, compress, islice, repeat
from operator import is_not
from typing import Any, Final

from msgspec.structs import replace

from runbook.model.fact import Fact

Counts = Mapping[str, list[int]]
"""Column → for how many rows each of its cells stands; a column that is not named has one for each row."""

_WORTH: Final = 4
"""Rows for each cell from which on it is worth while. Our judgement: a count takes as much room as a small number."""


def packed(fact: Fact) -> tuple[Fact, Counts]:
    """A fact whose columns have fewer cells, and for how many rows they stand."""
    columns, counts = {}, {}
    for name, cells in fact.columns.items():
        # By identity: it is quick, and 1, 1.0 and True are not taken for each other.
        begins = [0, *compress(range(1, len(cells)), map(is_not, cells, islice(cells, 1, None)))]
        if len(begins) * _WORTH > len(cells):
            columns[name] = cells
            continue
        columns[name] = [cells[place] for place in begins]
        counts[name] = [end - begin for begin, end in zip(begins, [*begins[1:], len(cells)], strict=True)]
    return replace(fact, columns=columns), counts


def unpacked(fact: Fact, counts: Counts) -> Fact:
    """The fact that was packed.

    Raises:
        ValueError: there is not a count for each cell.
    """

    def whole(name: str, cells: list[Any]) -> list[Any]:
        if name not in counts:
            return cells
        return [*chain.from_iterable(repeat(cell, count) for cell, count in zip(cells, counts[name], strict=True))]

    return replace(fact, columns={name: whole(name, cells) for name, cells in fact.columns.items()})
