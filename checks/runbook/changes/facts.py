"""Compare two facts of one probe, row by row and cell by cell."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct

from runbook.changes.difference import CellChange, RowChange, Unseen
from runbook.changes.matching import Row, pairs
from runbook.model.column import Column
from runbook.model.fact import Fact, Gap

_Look = Literal["old", "new"]


class Compared(Struct):
    """What two facts differ in.

    Attributes:
        changes: rows that went, came or changed.
        unseen: what one of them did not see.
        rows: how many rows both have.
        neither: how many of their cells neither knows.
        left_out: how many changes of what moves by nature were left out.
    """

    changes: list[RowChange] = []
    unseen: list[Unseen] = []
    rows: int = 0
    neither: int = 0
    left_out: int = 0


def compare_facts(columns: Sequence[Column], old: Fact, new: Fact, *, moving: bool = False) -> Compared:
    """Compare two facts that the same probe gave to the same question.

    A row went only if the second look would have shown it: where that has a gap which may hide the row, nobody knows.
    Likewise a row came only if the first look would have shown it.

    Args:
        columns: what the probe declares; both facts have these columns.
        old: of the first look.
        new: of the second look.
        moving: whether what moves by nature counts too.
    """
    found = Compared()
    if old.inapplicable or new.inapplicable:
        found.unseen = list(_without_meaning(old, new))
        return found
    comparing = _Comparing(columns, {"old": old, "new": new}, moving=moving)
    for before, after in pairs(columns, list(old.rows()), list(new.rows())):
        comparing.pair(found, before, after)
    found.unseen = comparing.unseen(old.source)
    return found


def _without_meaning(old: Fact, new: Fact) -> Iterator[Unseen]:
    """That a question had a meaning at one look only is no change of what it asks for; what is behind it tells why."""
    if not old.inapplicable:
        yield Unseen(old.source, "new", f"it does not apply: {new.inapplicable}", len(old))
    if not new.inapplicable:
        yield Unseen(new.source, "old", f"it did not apply: {old.inapplicable}", len(new))


class _Comparing:
    """The comparison of two facts under way: what is not known is gathered by its reason."""

    def __init__(self, columns: Sequence[Column], facts: dict[_Look, Fact], *, moving: bool) -> None:
        self._keys = [column for column in columns if column.key]
        self._others = [column for column in columns if not column.key]
        self._facts = facts
        self._moving = moving
        self._fleeting = not moving and any(column.moves for column in self._keys)
        self._unseen_rows: Counter[tuple[_Look, str]] = Counter()
        self._unseen_cells: dict[tuple[_Look, str], tuple[list[str], set[int]]] = {}

    def pair(self, found: Compared, before: Row | None, after: Row | None) -> None:
        """Compare two rows, or say of one that it is there in one look only."""
        if before is not None and after is not None:
            found.rows += 1
            if cells := tuple(self._cells(found, before, after)):
                found.changes.append(RowChange("changed", self._named(after), cells))
        elif before is not None:
            self._alone(found, before, "new")
        elif after is not None:
            self._alone(found, after, "old")

    def unseen(self, probe: str) -> list[Unseen]:
        """What one look did not see, by look and reason."""
        rows = [Unseen(probe, look, reason, count) for (look, reason), count in self._unseen_rows.items()]
        cells = [
            Unseen(probe, look, reason, len(seen), tuple(dict.fromkeys(names)))
            for (look, reason), (names, seen) in self._unseen_cells.items()
        ]
        return rows + cells

    def _alone(self, found: Compared, row: Row, lacking: _Look) -> None:
        """A row that one look lacks."""
        if hiding := _hiding(self._facts[lacking].gaps, self._keys, row):
            self._unseen_rows[lacking, hiding[0].reason] += 1
        elif self._fleeting:
            found.left_out += 1
        else:
            found.changes.append(RowChange("went" if lacking == "new" else "came", self._named(row)))

    def _named(self, row: Row) -> dict[str, Any]:
        return {column.name: row[column.name] for column in self._keys}

    def _cells(self, found: Compared, before: Row, after: Row) -> Iterator[CellChange]:
        for column in self._keys:
            if column.renewed and before[column.name] != after[column.name]:
                yield CellChange(column.name, before=before[column.name], after=after[column.name])
        for column in self._others:
            old, new = before[column.name], after[column.name]
            if old is None and new is None:
                found.neither += 1
            elif old == new:
                continue
            elif column.moves and not self._moving:
                found.left_out += 1
            elif old is None or new is None:
                self._not_known(column, ("old", before) if old is None else ("new", after))
            else:
                yield from cell_changes(column, old, new)

    def _not_known(self, column: Column, lacking: tuple[_Look, Row]) -> None:
        look, row = lacking
        told = row[column.why] if column.why else ""
        gaps = _hiding(self._facts[look].gaps, self._keys, row)
        reason = told or (gaps[0].reason if gaps else "it was not told")
        names, seen = self._unseen_cells.setdefault((look, reason), ([], set()))
        names.append(column.name)
        seen.add(id(row))


def cell_changes(column: Column, old: Any, new: Any) -> Iterator[CellChange]:
    """What two known cells differ in: of a map item by item, of a list what it lost and got."""
    if column.type.startswith("map"):
        for item in sorted({*old, *new}):
            if old.get(item) != new.get(item):
                yield CellChange(column.name, item, old.get(item), new.get(item))
    elif column.type.startswith("list"):
        removed, added = Counter(old) - Counter(new), Counter(new) - Counter(old)
        if removed or added:
            yield CellChange(column.name, removed=tuple(removed.elements()), added=tuple(added.elements()))
    else:
        yield CellChange(column.name, before=old, after=new)


def _hiding(gaps: Sequence[Gap], keys: Sequence[Column], row: Row) -> list[Gap]:
    """The gaps that may hide a row: all but those that are about another entity than one of its keys names."""
    named = {column.entity: str(row[column.name]) for column in keys if column.entity and row[column.name] is not None}
    return [gap for gap in gaps if all(named.get(of, str(value)) == str(value) for of, value in gap.keys.items())]
