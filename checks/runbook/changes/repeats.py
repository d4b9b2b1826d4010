"""What several probes tell of one thing is told once: of the restart of a process, of a cell, of a row."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from runbook.changes.difference import CellChange, Kind, RowChange
from runbook.model.column import Column

_Named = frozenset[tuple[str, str]]
"""What a row is of: each entity that its keys name, and by which name."""


class ChangeInContext(Struct, frozen=True, gc=False):
    """A row's change, of whom, and how much else went or came with it."""

    probe: str
    row: RowChange
    within: dict[str, int] = {}


def told_once(changes: Sequence[ChangeInContext], columns: Mapping[str, Sequence[Column]]) -> list[ChangeInContext]:
    """The changes without what another of them tells, too: a probe may repeat what is another's.

    A cell is told where its column changed alike in a row of the same entities, or of some of these: the state of a
    group stands in each row of its lag. A row that came or went is told where another probe has one of the same
    entities, and is counted there. Where a key names no entity nobody knows whether two rows are of one thing: the file
    of loggers and the loggers in force may change alike.
    """
    left = _restarts_once(changes, columns)
    named = [_named(change.row, columns[change.probe]) for change in left]
    return [*_rows_once(_cells_once(zip(left, named, strict=True)))]


def _named(row: RowChange, columns: Sequence[Column]) -> _Named:
    """The entities that name a row; none where one of its keys names no entity."""
    keys = [column for column in columns if column.key]
    if not all(column.entity for column in keys):
        return frozenset()
    return frozenset((str(column.entity), str(row.keys[column.name])) for column in keys)


def _cells_once(changes: Iterable[tuple[ChangeInContext, _Named]]) -> list[tuple[ChangeInContext, _Named]]:
    changes = [*changes]
    first: dict[tuple[_Named, CellChange], str] = {}
    for change, named in changes:
        for cell in change.row.cells if named else ():
            first.setdefault((named, cell), change.probe)
    left = []
    for change, named in changes:
        cells = tuple(cell for cell in change.row.cells if not _is_told(cell, change.probe, named, first))
        if cells or not change.row.cells:
            left.append((replace(change, row=replace(change.row, cells=cells)), named))
    return left


def _is_told(cell: CellChange, probe: str, named: _Named, first: Mapping[tuple[_Named, CellChange], str]) -> bool:
    """Whether another probe tells a cell first, or tells it of an entity to which this row belongs."""
    owners = (frozenset(some) for count in range(1, len(named)) for some in combinations(named, count))
    return first.get((named, cell), probe) != probe or any(first.get((owner, cell), probe) != probe for owner in owners)


def _rows_once(changes: Iterable[tuple[ChangeInContext, _Named]]) -> Iterator[ChangeInContext]:
    first: dict[tuple[Kind, _Named], ChangeInContext] = {}
    more: dict[tuple[Kind, _Named], Counter[str]] = {}
    left = []
    for change, named in changes:
        whole = change.row.kind, named
        if not named or change.row.kind == "changed" or first.setdefault(whole, change).probe == change.probe:
            left.append((change, whole))
        else:
            more.setdefault(whole, Counter(first[whole].within))[change.probe] += 1
    for change, whole in left:
        yield replace(change, within=dict(more[whole])) if whole in more else change


def _restarts_once(
    changes: Sequence[ChangeInContext], columns: Mapping[str, Sequence[Column]]
) -> list[ChangeInContext]:
    """The changes, of which only the first says that a process was started anew: others tell of the same one."""
    first: dict[CellChange, str] = {}
    names = {probe: {column.name for column in columns[probe] if column.renewed} for probe in columns}
    left = []
    for change in changes:
        renewed = names[change.probe]
        if not renewed:
            left.append(change)
            continue
        kept = [
            cell
            for cell in change.row.cells
            if cell.column not in renewed or first.setdefault(cell, change.probe) == change.probe
        ]
        if kept or change.row.kind != "changed":
            left.append(replace(change, row=replace(change.row, cells=tuple(kept))))
    return left
