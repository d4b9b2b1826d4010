"""Rows ready to be judged: the columns of a fact, with joined facts and second looks beside them."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from runbook.engine.column import Column
from runbook.engine.compiled import Compiled
from runbook.engine.fact import Fact, Gap

BEFORE = "before"  # a fact that is looked at twice arrives as two: its name, and its name with this suffix


class Table(Struct):
    """Variables over rows.

    Attributes:
        cells: variable -> its cells.
        count: the number of rows.
        holes: row -> why it can't be judged (nothing to join it to, seen in one look only).
        gaps: what the fact did not show.
    """

    cells: dict[str, list[Any]]
    count: int
    holes: dict[int, str]
    gaps: list[Gap]


def rows_of(compiled: Compiled, facts: Mapping[str, Fact]) -> Table:
    """The rows that `each` and `window` judge."""
    fact = facts[compiled.subject]
    table = Table({}, len(fact), {}, list(fact.gaps))
    if compiled.mode == "window":
        _two_looks(compiled, fact, facts[f"{compiled.subject}.{BEFORE}"], table)
    else:
        table.cells = {f"{compiled.subject}.{name}": cells for name, cells in fact.columns.items()}
    for name, on in compiled.joins.items():
        _join(table, fact, name, facts[name], on)
    return table


def _two_looks(compiled: Compiled, after: Fact, before: Fact, table: Table) -> None:
    keys = [column.name for column in compiled.columns if column.key]
    earlier = _index(before, keys)
    order = [earlier.get(key) for key in _keys(after, keys)]
    for name, cells in before.columns.items():
        table.cells[f"before.{name}"] = [None if i is None else cells[i] for i in order]
    for name, cells in after.columns.items():
        table.cells[f"after.{name}"] = cells
    table.holes |= {row: "it was not there at the first look" for row, i in enumerate(order) if i is None}
    table.gaps += before.gaps


def _join(table: Table, fact: Fact, name: str, joined: Fact, on: dict[str, str]) -> None:
    index = _index(joined, list(on.values()))
    order = [index.get(key) for key in _keys(fact, list(on))]
    for column, cells in joined.columns.items():
        table.cells[f"{name}.{column}"] = [None if i is None else cells[i] for i in order]
    why = "; ".join(gap.reason for gap in joined.gaps) or joined.inapplicable
    for row, (i, key) in enumerate(zip(order, _keys(fact, list(on)), strict=True)):
        if i is None:
            what = ", ".join(f"{column} {value}" for column, value in zip(on, key, strict=True))
            table.holes.setdefault(row, f"{name} says nothing of {what}" + (f": {why}" if why else ""))


def _keys(fact: Fact, names: Sequence[str]) -> list[tuple[Any, ...]]:
    return list(zip(*(fact.columns[name] for name in names), strict=True))


def _index(fact: Fact, names: Sequence[str]) -> dict[tuple[Any, ...], int]:
    return {key: i for i, key in enumerate(_keys(fact, names))}


def key_of(columns: Sequence[Column], fact: Fact, row: int) -> dict[str, Any]:
    """The key columns of one row."""
    return {column.name: fact.columns[column.name][row] for column in columns if column.key}


def touches(columns: Sequence[Column], also: Sequence[str], fact: Fact, row: int) -> dict[str, list[Any]]:
    """The entities one row is about: those of its keys, and of the columns `also`."""
    found: dict[str, list[Any]] = {}
    for column in columns:
        value = fact.columns[column.name][row]
        if column.entity is None or value in (None, "", -1) or not (column.key or column.name in also):
            continue
        values = found.setdefault(column.entity, [])
        values += [item for item in (value if isinstance(value, list) else [value]) if item not in values]
    return found
