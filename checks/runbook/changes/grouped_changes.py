"""Put changes together that say the same, and in an order in which the first tells most."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from runbook.changes.difference import EntityChange, Kind, RowChange
from runbook.changes.repeats import ChangeInContext, told_once
from runbook.model.column import ENTITIES, Column

_KINDS: tuple[Kind, ...] = ("went", "came", "changed")
_UNNAMED = ENTITIES.index("setting")  # where what has no entity stands, such as a quota: somebody set it

_Whole = tuple[Kind, str, str]
"""An entity that went or came as a whole: how, what kind it is of, and its name."""


def telling(found: Mapping[str, Sequence[RowChange]], columns: Mapping[str, Sequence[Column]]) -> list[EntityChange]:
    """The changes of all probes, the most telling first.

    Rows that went or came with what they belong to, as partitions with their topic, are counted there. What several
    probes tell is told once. What changed alike in several is one change. Those of numbers alone come last, as they
    follow from the rest; the order is that of the entities otherwise, then what went, came and changed.

    Args:
        found: probe to its rows' changes.
        columns: probe to what it declares.
    """
    changes = [ChangeInContext(probe, row) for probe, rows in found.items() for row in rows]
    together = _alike(told_once(_owned(changes, columns), columns), columns)
    order = list(found)
    return sorted(together, key=lambda one: _place(one, columns[one.probe], order))


def _owned(changes: Sequence[ChangeInContext], columns: Mapping[str, Sequence[Column]]) -> list[ChangeInContext]:
    """The changes without those that are part of an entity that went or came as a whole; it counts them."""
    wholes: dict[_Whole, str] = {}
    for change in changes:
        keys = [column for column in columns[change.probe] if column.key]
        if len(keys) == 1 and change.row.kind != "changed":
            for whole in _named(change.row, keys):
                wholes.setdefault(whole, change.probe)
    if not wholes:
        return list(changes)
    within: dict[_Whole, Counter[str]] = {whole: Counter() for whole in wholes}
    left = []
    for change in changes:
        named = _named(change.row, columns[change.probe])
        owners = [whole for whole in named if wholes.get(whole, change.probe) != change.probe]
        if owners:
            within[owners[0]][change.probe] += 1
        else:
            left.append(change)
    return [replace(change, within=_counted(change, within, columns[change.probe])) for change in left]


def _counted(one: ChangeInContext, within: Mapping[_Whole, Counter[str]], columns: Sequence[Column]) -> dict[str, int]:
    return next((dict(within[whole]) for whole in _named(one.row, columns) if whole in within), {})


def _named(row: RowChange, columns: Sequence[Column]) -> list[_Whole]:
    """The entities that the keys of a row name, with what became of the row."""
    keys = [column for column in columns if column.key and column.entity]
    return [(row.kind, str(column.entity), str(row.keys[column.name])) for column in keys]


def _alike(changes: Iterable[ChangeInContext], columns: Mapping[str, Sequence[Column]]) -> list[EntityChange]:
    """What is the same of several rows of a probe, as one change."""
    groups: dict[tuple[str, Kind, tuple[Any, ...]], list[ChangeInContext]] = {}
    for change in changes:
        groups.setdefault((change.probe, change.row.kind, change.row.cells), []).append(change)
    return [
        EntityChange(
            kind=kind,
            entity=_entity(columns[probe]),
            probe=probe,
            subjects=tuple(change.row.keys for change in alike),
            cells=cells,
            within=dict(sum((Counter(change.within) for change in alike if change.within), Counter())),
        )
        for (probe, kind, cells), alike in groups.items()
    ]


def _entity(columns: Sequence[Column]) -> str:
    """What a row is of, if its keys name several entities: the one that is part of the others."""
    return max(
        (str(column.entity) for column in columns if column.key and column.entity), key=ENTITIES.index, default=""
    )


def _place(change: EntityChange, columns: Sequence[Column], order: Sequence[str]) -> tuple[int, ...]:
    counts = {column.name for column in columns if column.unit and column.type in ("int", "float")}
    numbers = change.kind == "changed" and all(cell.column in counts for cell in change.cells)
    rank = ENTITIES.index(change.entity) if change.entity else _UNNAMED
    return (numbers, rank, _KINDS.index(change.kind), order.index(change.probe), -len(change.subjects))
