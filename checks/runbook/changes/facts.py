"""Compare two facts of one probe, row by row and cell by cell."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct

from runbook.changes.difference import CellChange, RowChange, Unseen
from runbook.changes.row_pairs import matched
from runbook.model.column import Column
from runbook.model.fact import Fact, Gap
from runbook.model.sentence import each_shown, shown

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
    rows = matched(columns, old, new)
    comparing.both(found, rows.both)
    for place in rows.gone:
        comparing.alone(found, "old", place)
    for place in rows.come:
        comparing.alone(found, "new", place)
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
        self._columns = columns
        self._keys = [column for column in columns if column.key]
        self._facts = facts
        self._moving = moving
        self._fleeting = not moving and any(column.moves for column in self._keys)
        self._unseen_rows: Counter[tuple[_Look, str]] = Counter()
        self._unseen_cells: dict[tuple[_Look, str], tuple[dict[str, None], set[int]]] = {}

    def both(self, found: Compared, places: tuple[Sequence[int], Sequence[int]]) -> None:
        """Compare the rows that both looks have, column by column: most columns are equal as a whole."""
        found.rows = len(places[0])
        changed: dict[int, list[CellChange]] = {}
        for column in self._columns:
            if not column.key or column.renewed:
                before = _taken(self._facts["old"].columns[column.name], places[0])
                after = _taken(self._facts["new"].columns[column.name], places[1])
                if before == after:
                    found.neither += before.count(None)
                    continue
                for place, (old, new) in enumerate(zip(before, after, strict=True)):
                    if old is None and new is None:
                        found.neither += 1
                    elif old != new and (
                        cells := self._cells(found, column, (old, new), (places[0][place], places[1][place]))
                    ):
                        changed.setdefault(place, []).extend(cells)
        for place in sorted(changed):
            keys = self._named("new", places[1][place])
            found.changes.append(RowChange("changed", keys, tuple(changed[place])))

    def alone(self, found: Compared, look: _Look, place: int) -> None:
        """A row of one look that the other lacks."""
        lacking = _other(look)
        if hiding := self._hiding(lacking, look, place):
            self._unseen_rows[lacking, shown(hiding[0].reason)] += 1
        elif self._fleeting:
            found.left_out += 1
        else:
            found.changes.append(RowChange("went" if look == "old" else "came", self._named(look, place)))

    def unseen(self, probe: str) -> list[Unseen]:
        """What one look did not see, by look and reason."""
        rows = [Unseen(probe, look, reason, count) for (look, reason), count in self._unseen_rows.items()]
        cells = [
            Unseen(probe, look, reason, len(seen), tuple(names))
            for (look, reason), (names, seen) in self._unseen_cells.items()
        ]
        told = {*self._unseen_rows, *self._unseen_cells}
        return rows + cells + [Unseen(probe, *hidden, 0) for hidden in self._blind() if hidden not in told]

    def _blind(self) -> Iterator[tuple[_Look, str]]:
        """The gaps of one look alone: they hide what may have come or gone there, though no known row is missing."""
        looks: tuple[_Look, ...] = ("old", "new")
        for look in looks:
            others = [gap.keys for gap in self._facts[_other(look)].gaps]
            reasons = each_shown(gap.reason for gap in self._facts[look].gaps if gap.keys not in others)
            yield from ((look, reason) for reason in reasons)

    def _named(self, look: _Look, place: int) -> dict[str, Any]:
        return {column.name: self._facts[look].columns[column.name][place] for column in self._keys}

    def _cells(
        self, found: Compared, column: Column, cells: tuple[Any, Any], places: tuple[int, int]
    ) -> list[CellChange]:
        """What two cells that are not equal differ in, as far as that is a change."""
        old, new = cells
        if column.moves and not self._moving:
            found.left_out += 1
        elif old is None or new is None:
            self._not_known(column, "old" if old is None else "new", places)
        else:
            return list(cell_changes(column, old, new))
        return []

    def _not_known(self, column: Column, look: _Look, places: tuple[int, int]) -> None:
        place = places[0 if look == "old" else 1]
        why = self._facts[look].columns[column.why][place] if column.why else ""
        gaps = self._hiding(look, look, place)
        reason = why or (shown(gaps[0].reason) if gaps else "it was not reported")
        names, seen = self._unseen_cells.setdefault((look, reason), ({}, set()))
        names[column.name] = None
        seen.add(place)

    def _hiding(self, lacking: _Look, look: _Look, place: int) -> list[Gap]:
        """The gaps of a look that may hide a row: all but those about another entity than one of its keys names."""
        gaps = self._facts[lacking].gaps
        if not gaps:
            return []
        row = {column.entity: self._facts[look].columns[column.name][place] for column in self._keys if column.entity}
        named = {entity: str(value) for entity, value in row.items() if value is not None}
        return [gap for gap in gaps if all(named.get(of, str(value)) == str(value) for of, value in gap.keys.items())]


def _without(cells: list[Any], others: list[Any]) -> tuple[Any, ...]:
    """What a list has that another has not, or has more often."""
    if len({*cells}) == len(cells):
        known = {*others}
        return tuple(cell for cell in cells if cell not in known)
    return tuple((Counter(cells) - Counter(others)).elements())


def _taken(cells: list[Any], places: Sequence[int]) -> list[Any]:
    return cells if places == range(len(cells)) else [cells[place] for place in places]


def _other(look: _Look) -> _Look:
    return "new" if look == "old" else "old"


def cell_changes(column: Column, old: Any, new: Any) -> Iterator[CellChange]:
    """What two known cells differ in: of a map item by item, of a list what it lost and got."""
    if column.type.startswith("map"):
        for item in sorted({*old, *new}):
            if old.get(item) != new.get(item):
                yield CellChange(column.name, item, old.get(item), new.get(item))
    elif column.type.startswith("list"):
        removed, added = _without(old, new), _without(new, old)
        if removed or added:
            yield CellChange(column.name, removed=removed, added=added)
    else:
        yield CellChange(column.name, before=old, after=new)
