"""Rows ready to be judged: the columns of a fact, with joined facts and second looks beside them."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from runbook.judge.compiled import Compiled
from runbook.model.column import Column
from runbook.model.fact import Fact, Gap, distinct
from runbook.model.result import Doubt

_FEW = 3
"""So many that a sentence names them all."""
BEFORE = "before"  # a fact that is looked at twice arrives as two: its name, and its name with this suffix


class Table(Struct):
    """Variables over rows.

    Attributes:
        cells: variable -> its cells.
        count: the number of rows.
        holes: row -> why it can't be judged (nothing to join it to, seen in one look only).
        gaps: what the fact did not show.
    """

    cells: dict[str, Sequence[Any]]
    count: int
    holes: dict[int, Doubt]
    gaps: list[Gap]


class _Beside(Sequence[Any]):
    """The cells of a joined fact in the order of the rows that they stand beside; laid out once they are gone through.

    An expression reads a few of its many columns, and of most rows none is asked for.
    """

    def __init__(self, cells: list[Any], order: list[int | None]) -> None:
        self._cells, self._order = cells, order

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, row: Any) -> Any:
        if not isinstance(row, int):
            return self._laid_out[row]
        i = self._order[row]
        return None if i is None else self._cells[i]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._laid_out)

    @cached_property
    def _laid_out(self) -> list[Any]:
        return [None if i is None else self._cells[i] for i in self._order]


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
    table.gaps = distinct(table.gaps)
    return table


def _two_looks(compiled: Compiled, after: Fact, before: Fact, table: Table) -> None:
    keys = [column.name for column in compiled.columns if column.key]
    order = _Index(before, keys).of(_keys(after, keys))
    for name, cells in before.columns.items():
        table.cells[f"before.{name}"] = [None if i is None else cells[i] for i in order]
    for name, cells in after.columns.items():
        table.cells[f"after.{name}"] = cells
    table.holes |= {row: Doubt("it was not there at the first look") for row, i in enumerate(order) if i is None}
    table.gaps += before.gaps
    gone = len(before) - len({i for i in order if i is not None})
    if gone:
        table.gaps.append(Gap(f"{gone} of {len(before)} rows of the first look were not there at the second"))


def _join(table: Table, fact: Fact, name: str, joined: Fact, on: dict[str, str]) -> None:
    keys = _keys(fact, list(on))
    index = _Index(joined, list(on.values()))
    order = index.of(keys)
    for column, cells in joined.columns.items():
        table.cells[f"{name}.{column}"] = _Beside(cells, order)
    why = "; ".join(f"{gap.reason}" for gap in joined.gaps)
    withheld = any(gap.withheld for gap in joined.gaps)
    without = [row for row, i in enumerate(order) if i is None and row not in table.holes]
    listed = _listed(joined, on) if without else ""
    doubts: dict[tuple[Any, ...], Doubt] = {}  # of the many rows of one broker or topic one object
    for row in without:
        key = keys[row]
        if key not in doubts:
            reason = _unjoined(joined, on, key, listed, twice=key in index.ambiguous)
            doubts[key] = Doubt(f"{reason} ({why})" if why else reason, withheld)
        table.holes[row] = doubts[key]
    table.gaps += joined.gaps


def _unjoined(joined: Fact, on: dict[str, str], key: tuple[Any, ...], listed: str, *, twice: bool) -> str:
    """Why a row has nothing of another fact beside it."""
    unknown = [column for column, value in zip(on, key, strict=True) if value is None]
    if unknown:
        return f"its {' and '.join(unknown)} is unknown, so that {joined.source} can't be asked for it"
    what = ", ".join(f"{column} {value}" for column, value in zip(on, key, strict=True))
    if twice:
        return f"{joined.source} lists {what} several times: which one counts is not clear"
    return f"{what} is unknown: {joined.source} {listed}"


def _listed(joined: Fact, on: dict[str, str]) -> str:
    """What a fact lists in place of a key that it does not have, as the end of a sentence."""
    if not len(joined):
        return "lists none"
    there = {str(each) for each in joined.columns[next(iter(on.values()))]} if len(on) == 1 else set()
    return f"lists only {', '.join(sorted(there))}" if 0 < len(there) <= _FEW else "does not list it"


class _Index:
    """Rows by their key; one that several rows have finds none of them, as it is not known which is meant."""

    def __init__(self, fact: Fact, names: Sequence[str]) -> None:
        self._rows: dict[tuple[Any, ...], int] = {}
        self.ambiguous: set[tuple[Any, ...]] = set()
        for i, key in enumerate(_keys(fact, names)):
            if self._rows.setdefault(key, i) != i:
                self.ambiguous.add(key)
        for key in {key for key in self._rows if None in key} | self.ambiguous:
            del self._rows[key]

    def of(self, keys: Sequence[tuple[Any, ...]]) -> list[int | None]:
        """For each key its row; None where there is none, or a part of the key is not known."""
        return [*map(self._rows.get, keys)]


def _keys(fact: Fact, names: Sequence[str]) -> list[tuple[Any, ...]]:
    return list(zip(*(fact.columns[name] for name in names), strict=True))


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
        values.extend(value if isinstance(value, list) else [value])
    return {entity: list(dict.fromkeys(values)) for entity, values in found.items()}
